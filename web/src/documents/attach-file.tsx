import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { count } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { actionText } from './action-texts.ts';
import { attachText } from './attach-texts.ts';
import { showChanged } from './document-query.ts';
import type { DocumentDetail } from './types.ts';
import { uploadFile } from './upload-file.ts';

export interface AttachFileProps {
  document: DocumentDetail;
  file: File;
  onSettled: () => void;
  onClose: () => void;
}

/** Uploads a PDF to an unsent document. Asks before fields that don't fit on it are removed, and says how many stayed. */
export function AttachFile({ document, file, onSettled, onClose }: AttachFileProps) {
  const { id } = document;
  const queryClient = useQueryClient();
  // The confirmed upload replaces the version that the user saw. A first file replaces nothing.
  const [replaced] = useState(document.file === null ? {} : { version: document.version });
  const { mutate, data, error } = useMutation({
    mutationFn: () => uploadFile(id, file, replaced),
    onSuccess: (changed) => showChanged(queryClient, changed),
    onError: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
    onSettled,
  });
  const isStarted = useRef(false);
  useEffect(() => {
    if (!isStarted.current) mutate();
    isStarted.current = true;
  }, [mutate]);

  if (error instanceof ApiFailure && error.code === 'fields_unfit') {
    return (
      <ConfirmDialog
        title={attachText.unfitTitle}
        action={actionText.replace}
        isDangerous
        failures={attachText.failures}
        onClose={onClose}
        onConfirm={async () => {
          await showChanged(queryClient, await uploadFile(id, file, { ...replaced, remove_fields: 'true' }));
        }}
      >
        <p>{count(Number(error.value), attachText.unfit)}</p>
        <p>{attachText.unfitOthers}</p>
      </ConfirmDialog>
    );
  }
  const kept = data?.fields_kept ?? 0;
  return (
    <>
      <Problem of={error} failures={attachText.failures} className="order-last basis-full" />
      <p role="status" className={kept === 0 ? 'sr-only' : 'order-last basis-full text-soft'}>
        {kept > 0 && count(kept, attachText.kept)}
      </p>
    </>
  );
}
