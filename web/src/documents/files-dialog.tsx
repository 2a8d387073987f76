import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { acceptPdf, FileInput } from '../ui/file-input.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { actionText } from './action-texts.ts';
import { addFiles, arrangeFiles, partsKey } from './change-files.ts';
import { enqueueChange, sayProgress, useFileChanges } from './file-changes.ts';
import { FileOutcomes } from './file-outcomes.tsx';
import { FileRows, type Part } from './file-rows.tsx';
import { filesText } from './files-texts.ts';

interface FilesDialogProps {
  /** The id of the document. */
  id: string;
  onClose: () => void;
}

/** The files of an unsent document in their order: adding several, reordering and removing them. */
export function FilesDialog({ id, onClose }: FilesDialogProps) {
  const { data, error: unread } = useQuery({
    queryKey: partsKey(id),
    queryFn: ({ signal }) => api.get('/documents/:id/parts', { params: { id }, signal }),
  });
  const queryClient = useQueryClient();
  const isBusy = useFileChanges(id).pending > 0;
  const [chosen, setRemoving] = useState<Part | null>(null);
  const arrange = (moved: readonly Part[], done: string) => {
    const body = { version: data?.version, parts: moved.map(({ position }) => position) };
    void enqueueChange(id, async () => {
      if (!(await arrangeFiles(queryClient, id, body))) return;
      setRemoving(null);
      sayProgress(id, done);
    });
  };

  const parts = data?.data ?? [];
  // Someone else may have moved or removed it since: then another file is at its place.
  const removing = parts.find((part) => chosen !== null && isSame(part, chosen)) ?? null;
  const isLost = chosen !== null && removing === null && !isBusy;
  useEffect(() => {
    if (!isLost) return;
    setRemoving(null);
    sayProgress(id, filesText.changedMeanwhile);
  }, [isLost, id]);
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
          onMove={(moved, name, n) => arrange(moved, fill(filesText.moved, { name, n, all: parts.length }))}
        />
      ) : (
        <Removal
          part={removing}
          isBusy={isBusy}
          onCancel={() => setRemoving(null)}
          onConfirm={() =>
            arrange(
              parts.filter(({ position }) => position !== removing.position),
              fill(filesText.removed, { name: removing.name }),
            )
          }
        />
      )}
      <FileOutcomes id={id} className="mt-3" />
      <div className="mt-5">
        <FileInput
          label={filesText.add}
          hint={fill(filesText.addHint, { max: data?.parts_max ?? 20 })}
          accept={acceptPdf}
          multiple
          takesAgain
          className="bg-page"
          onChoose={(files) => {
            if (files.length > 0) void enqueueChange(id, () => addFiles(queryClient, id, files));
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
