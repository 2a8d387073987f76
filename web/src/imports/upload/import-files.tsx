import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { ApiFailure, api } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
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

/** Which files are to come in, and whether they are to be unlocked. They are sent while their import is looked at. */
export function ImportFiles({ files, onChoose, onClose }: ImportFilesProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const start = async (form: FormData) => {
    const id = await startUpload(files, form.has('unlock'));
    await queryClient.invalidateQueries({ queryKey: ['imports'] });
    await navigate({ to: '/imports/$id', params: { id }, search: {} });
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

/** The server knows all of them before the first is sent, and says at once when there is no room for them. */
async function startUpload(files: readonly File[], isToUnlock: boolean): Promise<string> {
  if (files.length === 0) throw new ApiFailure('no_files', 0, '');
  if (files.length > filesMax) throw new ApiFailure('too_many_files', 0, '');
  const { id, items } = await api.post<{ id: string; items: string[] }>('/imports/uploads', {
    files: files.map(({ name, size }) => ({ name: [...name].slice(0, nameLengthMax).join(''), bytes: size })),
    unlock_doc: isToUnlock,
  });
  sendFiles(
    id,
    files.map((file, index) => ({ itemId: items[index] as string, file })),
  );
  return id;
}

function UnlockChoice() {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
      <input
        id={id}
        type="checkbox"
        name="unlock"
        className="mt-1 size-4 accent-accent"
        aria-describedby={`${id}-hint`}
      />
      <label htmlFor={id} className="font-semibold">
        {uploadText.unlock}
      </label>
      <p id={`${id}-hint`} className="col-start-2 text-sm text-soft">
        {uploadText.unlockHint}
      </p>
    </div>
  );
}
