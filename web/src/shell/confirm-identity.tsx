import { useEffect, useState } from 'react';
import { onConfirmationNeeded } from '../api/client.ts';
import { lazyDialog } from './lazy-dialog.tsx';

const ConfirmIdentityDialog = lazyDialog(() =>
  import('./confirm-identity-dialog.tsx').then((module) => module.ConfirmIdentityDialog),
);

/** Asks users to confirm who they are before a sensitive change, and then repeats the request. Mounted once. */
export function ConfirmIdentity() {
  const [settle, setSettle] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => onConfirmationNeeded(() => new Promise<boolean>((resolve) => setSettle(() => resolve))), []);
  if (settle === null) return null;
  const end = (isConfirmed: boolean) => {
    settle(isConfirmed);
    setSettle(null);
  };
  return <ConfirmIdentityDialog onConfirmed={() => end(true)} onClose={() => end(false)} />;
}
