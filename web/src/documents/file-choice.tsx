import { acceptPdf, FileInput } from '../ui/file-input.tsx';
import { Icon } from '../ui/icon.tsx';
import { uiText } from '../ui/texts.ts';
import { newText } from './new-texts.ts';

/** The input for the PDF of a new document or template. */
export function FileChoice({ file, onChoose }: { file: File | null; onChoose: (file: File | null) => void }) {
  const label = (
    <>
      {newText.file} <span className="font-normal text-soft">({uiText.optional})</span>
    </>
  );
  return (
    <FileInput
      label={label}
      hint={newText.fileHint}
      accept={acceptPdf}
      className="bg-raised"
      onChoose={([chosen]) => onChoose(chosen ?? null)}
    >
      <Icon name="documents" />
      <bdi>{file === null ? newText.drop : file.name}</bdi>
    </FileInput>
  );
}
