import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { count } from '../language.ts';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import type { UnlockView } from './types.ts';
import { unlockQuery } from './unlock-query.ts';
import { unlockText } from './unlock-texts.ts';

const UnlockDialog = lazyDialog<{ id: string; onClose: () => void }>(
  async () => (await import('./unlock-dialog.tsx')).UnlockDialog,
);

/** Shows the unlock status of a document with a PDF, and unlocks it. */
export function UnlockCard({ id, isReadOnly }: { id: string; isReadOnly: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const { data, error } = useQuery(unlockQuery(id));
  return (
    <section aria-labelledby="unlock">
      <h2 id="unlock" className="text-xl">
        {unlockText.title}
      </h2>
      <Problem of={error} className="mt-3" />
      {data !== undefined && (
        <>
          <p role="status" className="mt-2 text-sm text-soft">
            {stateOf(data)}
          </p>
          {data.status === 'pending' && <Busy />}
          {data.status === 'unlocked' && (
            <Link to="/documents/$id/unlocked" params={{ id }} className={buttonClass('plain', 'mt-3')}>
              {unlockText.open}
            </Link>
          )}
          {data.can_unlock && !isReadOnly && (
            <Button className="mt-3" onClick={() => setAsked(true)}>
              {data.status === 'none' ? unlockText.unlock : unlockText.again}
            </Button>
          )}
        </>
      )}
      {isAsked && <UnlockDialog id={id} onClose={() => setAsked(false)} />}
    </section>
  );
}

function stateOf({ status, reason, pages, can_unlock }: UnlockView): string {
  switch (status) {
    case 'none':
      return can_unlock ? unlockText.about : unlockText.notAsked;
    case 'pending':
      return unlockText.pending;
    case 'unlocked':
      return count(pages, unlockText.unlocked);
    default:
      return reason === null ? unlockText.notAsked : unlockText.reasons[reason];
  }
}

/** No time is shown: scanned pages take a hundred times longer than others. */
function Busy() {
  return (
    <div aria-hidden="true" className="mt-3 h-1.5 overflow-hidden rounded-full bg-accent-wash">
      <div className="h-full w-1/3 animate-pulse rounded-full bg-accent motion-reduce:animate-none" />
    </div>
  );
}
