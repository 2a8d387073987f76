import { count, fill } from '../../language.ts';
import { formatBytes } from '../../settings/usage.ts';
import { acceptPdf, FileInput } from '../../ui/file-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { uploadText } from './upload-texts.ts';

const namesMax = 5;

interface FileChoiceProps {
  files: readonly File[];
  onChoose: (files: readonly File[]) => void;
}

/** The file input of an import, with the chosen files. */
export function FileChoice({ files, onChoose }: FileChoiceProps) {
  return (
    <div>
      <FileInput
        label={uploadText.files}
        hint={uploadText.hint}
        accept={acceptPdf}
        className="bg-page"
        multiple
        onChoose={onChoose}
      >
        <Icon name="imports" />
        <span className="pointer-coarse:hidden">{uploadText.drop}</span>
        <span className="hidden pointer-coarse:inline">{uploadText.dropTouch}</span>
      </FileInput>
      <div role="status">{files.length > 0 && <Chosen files={files} />}</div>
    </div>
  );
}

function Chosen({ files }: { files: readonly File[] }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const more = files.length - namesMax;
  return (
    <>
      <p className="mt-3 font-semibold">
        {fill(count(files.length, uploadText.chosen), { bytes: formatBytes(bytes) })}
      </p>
      <ul className="mt-1 text-sm text-soft">
        {files.slice(0, namesMax).map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique, and files do not move
          <li key={index} className="truncate">
            <bdi>{file.name}</bdi>
          </li>
        ))}
        {more > 0 && <li>{count(more, uploadText.andMore)}</li>}
      </ul>
    </>
  );
}
