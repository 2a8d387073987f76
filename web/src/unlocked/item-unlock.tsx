import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { UnlockDialog } from './unlock-dialog.tsx';
import { unlockText } from './unlock-texts.ts';

/** Unlocks the document of an imported file. */
export function ItemUnlock({ id, name }: { id: string; name: string }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        className="-ml-3.5 text-accent"
        aria-label={`${unlockText.unlock}: ${name}`}
        onClick={() => setAsked(true)}
      >
        {unlockText.unlock}
      </Button>
      {isAsked && <UnlockDialog id={id} onClose={() => setAsked(false)} />}
    </>
  );
}
