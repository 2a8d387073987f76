import { useRef, useState } from 'react';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { acceptPdf } from '../ui/file-input.tsx';
import { actionText } from './action-texts.ts';
import { takeFiles } from './chosen-files.ts';
import type { DocumentDetail } from './types.ts';

const AttachFile = lazyDialog(async () => (await import('./attach-file.tsx')).AttachFile);
const FilesDialog = lazyDialog(async () => (await import('./files-dialog.tsx')).FilesDialog);

/** Attaches PDFs to an unsent document. One replaces an earlier PDF. Several are a list that can be ordered. */
export function AttachButton({ document }: { document: DocumentDetail }) {
  const input = useRef<HTMLInputElement>(null);
  const [initial, setInitial] = useState(() => takeFiles(document.id));
  /** The key of an upload: each choice is a new one. */
  const [uploads, setUploads] = useState(0);
  const [chosen, setChosen] = useState<File | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { file } = document;
  return (
    <>
      {!file?.parts.length && (
        <Button isBusy={isBusy} onClick={() => input.current?.click()}>
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
          else if (files[0]) {
            setUploads(uploads + 1);
            setChosen(files[0]);
            setBusy(true);
          }
          target.value = '';
        }}
      />
      {chosen && (
        <AttachFile
          key={uploads}
          document={document}
          file={chosen}
          onSettled={() => setBusy(false)}
          onClose={() => {
            setChosen(null);
            setBusy(false);
          }}
        />
      )}
      {initial && <FilesDialog document={document} initial={initial} onClose={() => setInitial(null)} />}
    </>
  );
}
