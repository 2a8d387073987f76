import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { acceptPdf, FileInput } from '../ui/file-input.tsx';
import { Icon } from '../ui/icon.tsx';
import { explain, Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { actionText } from './action-texts.ts';
import { showChanged } from './document-query.ts';
import { FileRows, type Part } from './file-rows.tsx';
import { filesFailures, filesText } from './files-texts.ts';
import type { DocumentDetail } from './types.ts';

interface FilesDialogProps {
  document: Pick<DocumentDetail, 'id'>;
  /** Files to add at once. */
  initial: readonly File[];
  onClose: () => void;
}

/** The files of an unsent document in their order: adding several, reordering and removing them. */
export function FilesDialog({ document: { id }, initial, onClose }: FilesDialogProps) {
  const queryKey = ['documents', 'parts', id];
  const { data, error: unread } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/documents/:id/parts', { params: { id }, signal }),
  });
  const queryClient = useQueryClient();
  // Files that are chosen during another change are added after it.
  const scope = { id: `files of ${id}` };
  const [said, say] = useState('');
  const [refused, setRefused] = useState<string[]>([]);
  const [chosen, setRemoving] = useState<Part | null>(null);

  /** Adds files one after another. Those that are refused are listed, and the others stay. */
  const adding = useMutation({
    scope,
    mutationFn: async (files: readonly File[]) => {
      for (const [index, file] of files.entries()) {
        say(fill(filesText.adding, { name: file.name, n: index + 1, all: files.length }));
        try {
          const changed = await api.upload('/documents/:id/parts', {
            params: { id },
            query: { name: file.name },
            file,
          });
          await showChanged(queryClient, changed);
        } catch (failure) {
          const name = (failure instanceof ApiFailure && failure.value) || file.name;
          const why = explain(failure, filesFailures);
          const text = fill(filesText.refused, { name, why });
          setRefused((others) => [...others.filter((other) => other !== text), text]);
        }
      }
      say('');
    },
  });
  const arranging = useMutation({
    scope,
    mutationFn: ({ parts }: { parts: readonly Part[]; done: string }) => {
      const body = { version: data?.version, parts: parts.map(({ position }) => position) };
      return api.post('/documents/:id/parts/order', { params: { id }, body });
    },
    onSuccess: async (changed, { done }) => {
      setRemoving(null);
      void showChanged(queryClient, changed);
      // The next move needs the new order and version, and nothing else that is refreshed.
      await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false });
      say(done);
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  });

  const isStarted = useRef(false);
  const { mutate: add } = adding;
  useEffect(() => {
    if (isStarted.current || initial.length === 0) return;
    isStarted.current = true;
    add(initial);
  }, [add, initial]);

  const isBusy = adding.isPending || arranging.isPending;
  const parts = data?.data ?? [];
  // Someone else may have moved or removed it since: then another file is at its place.
  const removing = parts.find((part) => chosen !== null && isSame(part, chosen)) ?? null;
  const isLost = chosen !== null && removing === null && !isBusy;
  useEffect(() => {
    if (!isLost) return;
    setRemoving(null);
    say(filesText.changedMeanwhile);
  }, [isLost]);
  return (
    <Dialog title={actionText.files} width="wide" onClose={onClose}>
      <p className="text-soft">{filesText.hint}</p>
      {data === undefined && unread === null && <p className="mt-4 text-soft">{uiText.loading}</p>}
      <Problem of={unread} className="mt-4" />
      {removing === null ? (
        <FileRows
          parts={parts}
          isBusy={isBusy}
          onRemove={setRemoving}
          onMove={(moved, name, n) =>
            arranging.mutate({ parts: moved, done: fill(filesText.moved, { name, n, all: parts.length }) })
          }
        />
      ) : (
        <Removal
          part={removing}
          isBusy={isBusy}
          onCancel={() => setRemoving(null)}
          onConfirm={() =>
            arranging.mutate({
              parts: parts.filter(({ position }) => position !== removing.position),
              done: fill(filesText.removed, { name: removing.name }),
            })
          }
        />
      )}
      <Problem of={arranging.error} failures={filesFailures} className="mt-3" />
      <p role="status" className={said === '' ? 'sr-only' : 'mt-3 text-sm text-soft'}>
        {said}
      </p>
      <div role="alert">
        <ul className={refused.length === 0 ? 'hidden' : 'mt-3 grid gap-2'}>
          {refused.map((text) => (
            <li key={text} className="rounded-lg bg-bad-wash px-3.5 py-2.5 font-medium break-words text-bad">
              {text}
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-5">
        <FileInput
          label={filesText.add}
          hint={fill(filesText.addHint, { max: data?.parts_max ?? 20 })}
          accept={acceptPdf}
          multiple
          takesAgain
          className="bg-page"
          onChoose={(files) => {
            if (files.length === 0) return;
            if (!isBusy) setRefused([]);
            add(files);
          }}
        >
          <Icon name="plus" />
          {filesText.drop}
        </FileInput>
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{filesText.done}</Button>
      </div>
    </Dialog>
  );
}

function isSame(a: Part, b: Part): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface RemovalProps {
  part: Part;
  isBusy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Says how many fields go with a file before it is removed. */
function Removal({ part: { name, fields }, isBusy, onConfirm, onCancel }: RemovalProps) {
  const cancel = useRef<HTMLDivElement>(null);
  useEffect(() => cancel.current?.querySelector('button')?.focus(), []);
  return (
    <section aria-labelledby="remove-file" className="mt-4 rounded-lg border border-rule p-4">
      <h3 id="remove-file" className="font-semibold break-words">
        {fill(filesText.removeTitle, { name })}
      </h3>
      <p className="mt-1 text-soft">
        {fields === 0 ? filesText.removeNoFields : count(fields, filesText.removeFields)}
      </p>
      <div ref={cancel} className="mt-4 flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>{uiText.cancel}</Button>
        <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
          {filesText.confirmRemove}
        </Button>
      </div>
    </section>
  );
}
