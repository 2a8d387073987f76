import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { downloadWhole } from '../api/download.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { certificateText } from './certificate-texts.ts';
import type { DocumentDetail } from './types.ts';

interface CertificateDialogProps {
  document: Pick<DocumentDetail, 'id'>;
  onClose: () => void;
}

/** Downloads the complete certificate, which takes a moment to draw, and closes. An error stays until the dialog is closed. */
export function CertificateDialog({ document: { id }, onClose }: CertificateDialogProps) {
  const { mutate, error } = useMutation({
    mutationFn: (signal: AbortSignal) => downloadWhole(`/documents/${id}/certificate`, signal),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one download each time it opens
  useEffect(() => {
    const closing = new AbortController();
    mutate(closing.signal, { onSuccess: onClose });
    return () => closing.abort();
  }, []);
  return (
    <Dialog title={certificateText.title} onClose={onClose}>
      <p role="status">{error === null ? certificateText.preparing : ''}</p>
      <Problem of={error} failures={certificateText.failures} />
    </Dialog>
  );
}
