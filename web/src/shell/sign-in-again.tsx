import { useEffect, useState } from 'react';
import { onSignedOut } from '../api/client.ts';
import { lazyDialog } from './lazy-dialog.tsx';

const SignInDialog = lazyDialog(() => import('./sign-in-dialog.tsx').then(({ SignInDialog }) => SignInDialog));

/**
 * Asks users whose session has ended to sign in again, on the same page. Nothing that they typed is stored or lost. Meanwhile
 * `onChange` hides what the page shows. Mounted once.
 */
export function SignInAgain({ onChange }: { onChange: (isSignedOut: boolean) => void }) {
  const [settle, setSettle] = useState<((isSignedIn: boolean) => void) | null>(null);
  useEffect(
    () =>
      onSignedOut(() => {
        onChange(true);
        return new Promise<boolean>((resolve) => setSettle(() => resolve));
      }),
    [onChange],
  );
  if (settle === null) return null;
  const end = (isSignedIn: boolean) => {
    settle(isSignedIn);
    setSettle(null);
    if (isSignedIn) onChange(false);
  };
  return <SignInDialog onSignedIn={() => end(true)} onClose={() => end(false)} />;
}
