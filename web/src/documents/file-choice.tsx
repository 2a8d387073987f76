import { acceptPdf, FileInput } from '../ui/file-input.tsx';
import { Icon } from '../ui/icon.tsx';
import { uiText } from '../ui/texts.ts';
import { newText } from './new-texts.ts';

interface FileChoiceProps {
  files: readonly File[];
  onChoose: (files: readonly File[]) => void;
}

/** The input for the PDFs of a new document or template. */
export function FileChoice({ files, onChoose }: FileChoiceProps) {
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
      multiple
      onChoose={onChoose}
    >
      <Icon name="documents" />
      <bdi>{files.length === 0 ? newText.drop : files.map(({ name }) => name).join(', ')}</bdi>
    </FileInput>
  );
}
