import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { api, signInAgain } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { readAgain } from '../api/read-again.ts';
import { fill } from '../language.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { askForPasskey, isPasskeyBrowser } from './ask-for-passkey.ts';
import { confirmText } from './confirm-texts.ts';
import { SignedOutBar } from './signed-out-bar.tsx';
import { type Signed, useSignedInElsewhere } from './use-signed-in-elsewhere.ts';

interface DialogProps {
  onSignedIn: () => void;
  onClose: () => void;
}

type Way = 'password' | 'link' | 'passkey' | 'code';

/**
 * Signs the same person in again. If someone else signs in meanwhile, the page is left, with everything on it. Once the dialog is
 * closed, a bar opens it again.
 */
export function SignInDialog({ onSignedIn, onClose }: DialogProps) {
  const { person, has_password, passkeys, sso } = useMe();
  const [asksForCode, setAsksForCode] = useState(false);
  const [isLinkSent, setLinkSent] = useState(false);
  const text = confirmText.signIn;
  const [isOpen, setOpen] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  const readSession = useSignedInElsewhere(() => {
    onSignedIn();
    if (!hasFailed) return;
    void router.invalidate();
    readAgain(queryClient);
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ([way, form]: [Way, FormData?]) => {
      if (way === 'link') {
        await api.post('/sign-in/link', { body: { email: person.email } });
        setLinkSent(true);
        return;
      }
      const signed = await signIn(way, person.email, form);
      if (signed.next === 'second_factor') setAsksForCode(true);
      else await readSession();
    },
  });
  // The code of an authenticator replaces the password field.
  useEffect(() => {
    if (asksForCode) document.getElementById('sign-in-again-field')?.focus();
  }, [asksForCode]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate([asksForCode ? 'code' : 'password', new FormData(event.currentTarget)]);
  };
  const close = () => {
    setOpen(false);
    setFailed(true);
    setAsksForCode(false);
    onClose();
  };
  useCloseOnEscape(isOpen, close);
  if (!isOpen) return <SignedOutBar onSignIn={() => setOpen(true)} />;
  return (
    <Dialog title={text.title} onClose={close}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p>{fill(text.why, { email: person.email })}</p>
        <input type="text" autoComplete="username" value={person.email} readOnly hidden />
        {asksForCode && (
          <TextField
            key="code"
            id="sign-in-again-field"
            name="code"
            label={confirmText.code}
            hint={confirmText.codeHint}
            autoComplete="one-time-code"
            required
          />
        )}
        {!asksForCode && has_password && (
          <TextField
            key="password"
            name="password"
            type="password"
            label={confirmText.password}
            autoComplete="current-password"
            autoFocus
            required
          />
        )}
        <Problem of={error} failures={text.failures} />
        <p role="status" className={isLinkSent ? 'rounded-lg bg-accent-wash px-3.5 py-2.5' : 'sr-only'}>
          {isLinkSent ? text.linkSent : ''}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          {!asksForCode && passkeys.count > 0 && passkeys.are_available && isPasskeyBrowser && (
            <Button onClick={() => mutate(['passkey'])}>{confirmText.usePasskey}</Button>
          )}
          {!asksForCode && sso === null && <Button onClick={() => mutate(['link'])}>{text.sendLink}</Button>}
          {sso?.id && (
            // In a tab of its own, so that what was typed here stays. This page notices the sign-in.
            <a
              href={`/sign-in/sso/${sso.id}`}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass('primary')}
            >
              {confirmText.useSso}
            </a>
          )}
          {(asksForCode || has_password) && (
            <Button type="submit" kind="primary" isBusy={isPending}>
              {text.signIn}
            </Button>
          )}
        </div>
        <p className="text-sm">
          <button type="button" className="text-soft underline hover:text-ink" onClick={signInAgain}>
            {text.leave}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/**
 * Keeps Escape from the browser, which would also close a dialog of the page behind this one: before the bar is shown, or because
 * it takes the two for one.
 */
function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    if (isOpen) close();
  });
  useLayoutEffect(() => {
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, []);
}

async function signIn(way: Exclude<Way, 'link'>, email: string, form?: FormData): Promise<Signed> {
  if (way === 'code') return api.post('/sign-in/second-factor', { body: { code: form?.get('code') } });
  if (way === 'password') return api.post('/sign-in', { body: { email, password: form?.get('password') } });
  const { options } = await api.post('/sign-in/passkey/options');
  return api.post('/sign-in/passkey', { body: { response: await askForPasskey(options) } });
}
