import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { acceptPdf } from '../ui/file-input.tsx';
import { Problem } from '../ui/problem.tsx';
import { actionText } from './action-texts.ts';
import { takeFiles } from './chosen-files.ts';
import { showChanged } from './document-query.ts';
import type { DocumentDetail } from './types.ts';

const FilesDialog = lazyDialog(async () => (await import('./files-dialog.tsx')).FilesDialog);

/** Attaches PDFs to an unsent document. One replaces an earlier PDF and its fields. Several are a list that can be ordered. */
export function AttachButton({ document }: { document: DocumentDetail }) {
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [initial, setInitial] = useState(() => takeFiles(document.id));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => attachFile(document.id, file),
    onSuccess: (changed) => showChanged(queryClient, changed),
  });
  const { file } = document;
  return (
    <>
      {!file?.parts.length && (
        <Button isBusy={isPending} onClick={() => input.current?.click()}>
          {file === null ? actionText.attach : actionText.replace}
        </Button>
      )}
      {file !== null && <Button onClick={() => setInitial([])}>{actionText.files}</Button>}
      <input
        ref={input}
        type="file"
        multiple={file === null}
        accept={acceptPdf}
        aria-label={actionText.attach}
        className="hidden"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          if (files[1]) setInitial(files);
          else if (files[0]) mutate(files[0]);
          target.value = '';
        }}
      />
      <Problem of={error} failures={actionText.failures.attach} className="order-last basis-full" />
      {initial && <FilesDialog document={document} initial={initial} onClose={() => setInitial(null)} />}
    </>
  );
}

export function attachFile(id: string, file: File): Promise<DocumentDetail> {
  return api.upload('/documents/:id/file', { params: { id }, query: { name: file.name }, file });
}

/** Returns the error code for the address of the page that shows the error. */
export function refusalOf(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return 'failed';
  return failure.param === null ? failure.code : `${failure.code}:${failure.param}`;
}
