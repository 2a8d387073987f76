import { type ReactNode, useId, useState } from 'react';

interface PdfInputProps {
  label: ReactNode;
  hint: string;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
  /** Content of the drop area. */
  children: ReactNode;
  /** Background of the drop area. */
  className: string;
}

/** A large file input. It accepts dropped files and files chosen by mouse or keyboard. */
export function PdfInput({ label, hint, multiple, onChoose, children, className }: PdfInputProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      <div
        className={`relative grid min-h-24 place-items-center rounded-xl border border-dashed p-4 text-center has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus ${isOver ? 'border-accent bg-accent-wash' : `border-edge ${className}`}`}
      >
        <p className="flex items-center gap-2 font-medium">{children}</p>
        <input
          id={id}
          type="file"
          multiple={multiple}
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
        {hint}
      </p>
    </div>
  );
}
