import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { acceptPdf } from '../ui/file-input.tsx';
import { actionText } from './action-texts.ts';
import { takeFiles } from './chosen-files.ts';
import { enqueueChange, useFileChanges } from './file-changes.ts';
import type { DocumentDetail } from './types.ts';
import type { Replacing } from './upload-file.ts';

const FilesDialog = lazyDialog(async () => (await import('./files-dialog.tsx')).FilesDialog);
const UnfitDialog = lazyDialog(async () => (await import('./unfit-dialog.tsx')).UnfitDialog);
const FileOutcomes = lazyDialog(async () => (await import('./file-outcomes.tsx')).FileOutcomes);

interface AttachButtonProps {
  document: DocumentDetail;
  /** Outcomes of earlier uploads are shown also on a document that can't be edited any more. */
  isEditable: boolean;
}

/** Attaches PDFs to an unsent document. One replaces an earlier PDF. Several are a list that can be ordered. */
export function AttachButton({ document: { id, file, version }, isEditable }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const changes = useFileChanges(id);
  const [isListOpen, setListOpen] = useState(false);
  const [unfit, setUnfit] = useState<{ chosen: File; replacing: Replacing; fields: number } | null>(null);

  const attach = async (chosen: File, replacing: Replacing) => {
    const fields = await enqueueChange(id, async () =>
      (await import('./change-files.ts')).attachFile(queryClient, id, chosen, replacing),
    );
    if (fields) setUnfit({ chosen, replacing, fields });
  };
  const add = (files: readonly File[]) => {
    setListOpen(true);
    void enqueueChange(id, async () => (await import('./change-files.ts')).addFiles(queryClient, id, files));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files of a new document are taken once
  useEffect(() => {
    const files = takeFiles(id);
    if (files !== null) add(files);
  }, [id]);

  return (
    <>
      {isEditable && !file?.parts.length && (
        <Button isBusy={changes.pending > 0} onClick={() => input.current?.click()}>
          {file === null ? actionText.attach : actionText.replace}
        </Button>
      )}
      {isEditable && file !== null && <Button onClick={() => setListOpen(true)}>{actionText.files}</Button>}
      {isEditable && (
        <input
          ref={input}
          type="file"
          multiple={file === null}
          accept={acceptPdf}
          aria-label={actionText.attach}
          className="hidden"
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            if (files[1]) add(files);
            // The upload replaces the version that the user saw. A first file replaces nothing.
            else if (files[0]) void attach(files[0], file === null ? {} : { version });
            target.value = '';
          }}
        />
      )}
      {!isListOpen && (changes.pending > 0 || changes.said !== '' || changes.refused.length > 0) && (
        <FileOutcomes id={id} className="order-last basis-full" />
      )}
      {unfit && (
        <UnfitDialog
          unfit={unfit.fields}
          onConfirm={async () => void attach(unfit.chosen, { ...unfit.replacing, remove_fields: 'true' })}
          onClose={() => setUnfit(null)}
        />
      )}
      {isListOpen && <FilesDialog id={id} onClose={() => setListOpen(false)} />}
    </>
  );
}
