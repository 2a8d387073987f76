import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './icon.tsx';
import { uiText } from './texts.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** While true, the dialog can't be closed. */
  isLocked?: boolean;
  children: ReactNode;
  /** In rem. */
  width?: 'narrow' | 'wide';
}

/**
 * The browser's modal dialog. It traps the focus, closes on Escape and restores the focus. If the element that had the focus
 * is gone, because of what the dialog did, the row or part of the page around it gets the focus.
 */
export function Dialog({ title, onClose, isLocked = false, children, width = 'narrow' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Not `useEffect`: the browser restores the focus only while the dialog is still part of the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    const around = ancestorsOf(document.activeElement);
    if (element !== null && !element.open) element.showModal();
    return () => {
      element?.close();
      queueMicrotask(() => keepFocus(around));
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // A browser that is asked to close a dialog twice, such as by a phone's back gesture, does it without the event `cancel`.
      onClose={() => (isLocked ? dialog.current?.showModal() : onClose())}
      onCancel={(event) => isLocked && event.preventDefault()}
      // With Escape, it doesn't even close for a moment.
      onKeyDown={(event) => isLocked && event.key === 'Escape' && event.preventDefault()}
      className={`m-auto w-[calc(100%-2rem)] rounded-xl border border-rule bg-raised p-5 text-ink shadow-xl sm:p-6 ${width === 'wide' ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="mb-3 flex items-start gap-4">
        <h2 id={id} className="flex-1 text-xl">
          {title}
        </h2>
        <button
          type="button"
          aria-label={uiText.close}
          aria-disabled={isLocked || undefined}
          onClick={() => isLocked || dialog.current?.close()}
          className="-m-1 rounded-md p-2 text-soft hover:bg-wash hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

function ancestorsOf(element: Element | null): Element[] {
  const ancestors: Element[] = [];
  for (let at = element; at !== null; at = at.parentElement) ancestors.push(at);
  return ancestors;
}

/** The parts of a page that can take the focus of a removed element. */
const placeholders = 'tr, li, section, main';

function keepFocus(around: readonly Element[]): void {
  const isFree = () => document.activeElement === null || document.activeElement === document.body;
  const [opener] = around;
  // It may have been invisible when the dialog closed.
  if (isFree() && opener instanceof HTMLElement) opener.focus();
  if (!isFree()) return;
  const part = around.find((element) => element.isConnected)?.closest<HTMLElement>(placeholders);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus();
}
