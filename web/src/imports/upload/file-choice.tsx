import { useId, useState } from 'react';
import { count, fill } from '../../language.ts';
import { formatBytes } from '../../settings/usage.ts';
import { Icon } from '../../ui/icon.tsx';
import { uploadText } from './upload-texts.ts';

const namesMax = 5;

interface FileChoiceProps {
  files: readonly File[];
  onChoose: (files: readonly File[]) => void;
}

/** The file input itself, made large: it takes what is dropped on it, and what is chosen by hand or keyboard. */
export function FileChoice({ files, onChoose }: FileChoiceProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {uploadText.files}
      </label>
      <div
        className={`relative grid min-h-28 place-items-center rounded-xl border border-dashed p-4 text-center has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus ${isOver ? 'border-accent bg-accent-wash' : 'border-edge bg-paper'}`}
      >
        <p className="flex items-center gap-2 font-medium">
          <Icon name="imports" />
          <span className="pointer-coarse:hidden">{uploadText.drop}</span>
          <span className="hidden pointer-coarse:inline">{uploadText.dropTouch}</span>
        </p>
        <input
          id={id}
          type="file"
          multiple
          accept="application/pdf,.pdf"
          aria-describedby={`${id}-hint`}
          className="absolute inset-0 cursor-pointer opacity-0"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={({ target }) => onChoose([...(target.files ?? [])])}
        />
      </div>
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        {uploadText.hint}
      </p>
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
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none moves
          <li key={index} className="truncate">
            <bdi>{file.name}</bdi>
          </li>
        ))}
        {more > 0 && <li>{count(more, uploadText.andMore)}</li>}
      </ul>
    </>
  );
}
