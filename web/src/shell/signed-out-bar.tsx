import { useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { confirmText } from './confirm-texts.ts';

/** Says that the page is hidden because the user is signed out. It is modal, because a dialog of the page may be open behind it. */
export function SignedOutBar({ onSignIn }: { onSignIn: () => void }) {
  const bar = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    bar.current?.showModal();
  }, []);
  return (
    <dialog
      ref={bar}
      aria-labelledby={id}
      // The back gesture of a phone closes a dialog too, the second time without asking the page.
      onCancel={(event) => event.preventDefault()}
      onClose={() => bar.current?.showModal()}
      className="mb-auto flex w-full max-w-none flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-warn-wash px-4 py-2.5 text-warn"
    >
      <p id={id} className="font-medium">
        {confirmText.signIn.closed}
      </p>
      <Button onClick={onSignIn}>{confirmText.signInAgain}</Button>
    </dialog>
  );
}
