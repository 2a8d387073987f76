import { useEffect, useState } from 'react';
import { onSignedOut } from '../api/client.ts';
import { lazyDialog } from './lazy-dialog.tsx';

const SignInDialog = lazyDialog(() => import('./sign-in-dialog.tsx').then(({ SignInDialog }) => SignInDialog));

interface SignInAgainProps {
  isSignedOut: boolean;
  onChange: (isSignedOut: boolean) => void;
}

/**
 * Asks users whose session has ended to sign in again, on the same page. Nothing that they typed is stored or lost. Until then
 * `onChange` hides what the page shows, also when the dialog is closed: the requests so far then fail, and later ones wait. Mounted
 * once.
 */
export function SignInAgain({ isSignedOut, onChange }: SignInAgainProps) {
  const [settle, setSettle] = useState<((isSignedIn: boolean) => void) | null>(null);
  useEffect(
    () =>
      onSignedOut(() => {
        onChange(true);
        return new Promise<boolean>((resolve) => setSettle(() => resolve));
      }),
    [onChange],
  );
  if (!isSignedOut) return null;
  const end = (isSignedIn: boolean) => {
    settle?.(isSignedIn);
    setSettle(null);
    onChange(!isSignedIn);
  };
  return <SignInDialog onSignedIn={() => end(true)} onClose={() => end(false)} />;
}
