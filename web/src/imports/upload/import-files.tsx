import { ApiFailure, api } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { UnlockChoice } from '../unlock-choice.tsx';
import { useNewImport } from '../use-new-import.ts';
import { FileChoice } from './file-choice.tsx';
import { uploadText } from './upload-texts.ts';
import { sendFiles } from './uploads.ts';

const filesMax = 1000;
const nameLengthMax = 400;

interface ImportFilesProps {
  files: readonly File[];
  onChoose: (files: readonly File[]) => void;
  onClose: () => void;
}

/** The dialog to choose files and unlocking. The files are uploaded while the page shows their import. */
export function ImportFiles({ files, onChoose, onClose }: ImportFilesProps) {
  const lookAt = useNewImport();
  const start = async (form: FormData) => {
    const id = await startUpload(files, form.has('unlock'));
    await lookAt(id);
  };
  return (
    <ConfirmDialog
      title={uploadText.title}
      action={uploadText.start}
      failures={uploadText.failures}
      onConfirm={start}
      onClose={onClose}
    >
      <FileChoice files={files} onChoose={onChoose} />
      <UnlockChoice />
    </ConfirmDialog>
  );
}

/** Creates the import with all files before the first upload. The server refuses it here if the quota is used up. */
async function startUpload(files: readonly File[], isToUnlock: boolean): Promise<string> {
  if (files.length === 0) throw new ApiFailure('no_files', 0, '');
  if (files.length > filesMax) throw new ApiFailure('too_many_files', 0, '');
  const { id, items } = await api.post('/imports/uploads', {
    body: {
      files: files.map(({ name, size }) => ({ name: [...name].slice(0, nameLengthMax).join(''), bytes: size })),
      unlock_doc: isToUnlock,
    },
  });
  sendFiles(
    id,
    files.map((file, index) => ({ itemId: items[index] as string, file })),
  );
  return id;
}
