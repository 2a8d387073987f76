import { useId } from 'react';
import { importsText } from './texts.ts';

/** A checkbox of the import form. `unlock` is set if the documents are to be unlocked. */
export function UnlockChoice() {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
      <input
        id={id}
        type="checkbox"
        name="unlock"
        className="mt-1 size-4 accent-accent"
        aria-describedby={`${id}-hint`}
      />
      <label htmlFor={id} className="font-semibold">
        {importsText.unlock}
      </label>
      <p id={`${id}-hint`} className="col-start-2 text-sm text-soft">
        {importsText.unlockHint}
      </p>
    </div>
  );
}
