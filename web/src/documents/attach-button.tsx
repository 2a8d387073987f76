import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { acceptPdf } from '../ui/file-input.tsx';
import { Problem } from '../ui/problem.tsx';
import { actionText } from './action-texts.ts';
import { showChanged } from './document-query.ts';
import type { DocumentDetail } from './types.ts';

/** Attaches a PDF to an unsent document. Replaces an earlier PDF and its fields. */
export function AttachButton({ document }: { document: DocumentDetail }) {
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => attachFile(document.id, file),
    onSuccess: (changed) => showChanged(queryClient, changed),
  });
  return (
    <>
      <Button isBusy={isPending} onClick={() => input.current?.click()}>
        {document.file === null ? actionText.attach : actionText.replace}
      </Button>
      <input
        ref={input}
        type="file"
        accept={acceptPdf}
        aria-label={actionText.attach}
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) mutate(file);
          target.value = '';
        }}
      />
      <Problem of={error} failures={actionText.failures.attach} className="order-last basis-full" />
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
