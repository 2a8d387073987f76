import { useId, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { uiText } from '../ui/texts.ts';
import { newText } from './new-texts.ts';

/** The file input itself, made large: it takes what is dropped on it, and what is chosen by keyboard. */
export function FileChoice({ file, onChoose }: { file: File | null; onChoose: (file: File | null) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {newText.file} <span className="font-normal text-soft">({uiText.optional})</span>
      </label>
      <div
        className={`relative grid min-h-24 place-items-center rounded-xl border border-dashed p-4 text-center has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus ${isOver ? 'border-accent bg-accent-wash' : 'border-edge bg-raised'}`}
      >
        <p className="flex items-center gap-2 font-medium">
          <Icon name="documents" />
          <bdi>{file === null ? newText.drop : file.name}</bdi>
        </p>
        <input
          id={id}
          type="file"
          accept="application/pdf,.pdf"
          aria-describedby={`${id}-hint`}
          className="absolute inset-0 cursor-pointer opacity-0"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
        />
      </div>
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        {newText.fileHint}
      </p>
    </div>
  );
}
