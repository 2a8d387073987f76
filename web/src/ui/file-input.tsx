import { type ReactNode, useId, useState } from 'react';

export const acceptPdf = 'application/pdf,.pdf';

interface FileInputProps {
  label: ReactNode;
  hint: string;
  /** The kinds of files, as in HTML. */
  accept: string;
  multiple?: boolean;
  /** Whether the same file can be chosen again, because it may have been corrected. */
  takesAgain?: boolean;
  onChoose: (files: File[]) => void;
  /** Content of the drop area. */
  children: ReactNode;
  /** Background of the drop area. */
  className: string;
}

/** A large file input. It accepts dropped files and files chosen by mouse or keyboard. */
export function FileInput({
  label,
  hint,
  accept,
  multiple,
  takesAgain,
  onChoose,
  children,
  className,
}: FileInputProps) {
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
          accept={accept}
          aria-describedby={`${id}-hint`}
          className="absolute inset-0 cursor-pointer opacity-0"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            if (takesAgain) target.value = '';
            onChoose(files);
          }}
        />
      </div>
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        {hint}
      </p>
    </div>
  );
}
