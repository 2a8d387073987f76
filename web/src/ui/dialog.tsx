import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icon.tsx';
import { uiText } from './texts.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** In rem. */
  width?: 'narrow' | 'wide';
}

/** The browser's modal dialog. It traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children, width = 'narrow' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className={`m-auto w-[calc(100%-2rem)] rounded-xl border border-rule bg-raised p-5 text-ink shadow-xl sm:p-6 ${width === 'wide' ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="mb-3 flex items-start gap-4">
        <h2 id={id} className="flex-1 text-xl">
          {title}
        </h2>
        <button
          type="button"
          aria-label={uiText.close}
          onClick={() => dialog.current?.close()}
          className="-m-1 rounded-md p-2 text-soft hover:bg-wash hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
