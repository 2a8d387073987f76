import { useEffect, useRef } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { otherCompany } from '../api/shown.ts';

export type Signed = AnswerOf<'POST', '/sign-in'>;

const askMs = 3000;

/**
 * Calls `onSignedIn` once the same person is signed in with the same company, also in another tab. With `isAgain`, an old sign-in
 * does not count. Then `onUnproven` is called when someone has signed in since, but the provider didn't prove that
 * it asked them. Returns a function that looks at once. When someone else is signed in, the page is left, so that nobody continues
 * another person's work.
 */
export function useSignedInElsewhere(
  onSignedIn: () => void,
  isAgain = false,
  onUnproven = () => {},
): () => Promise<void> {
  const { person, account } = useMe();
  const latest = useRef(onSignedIn);
  latest.current = onSignedIn;
  const isDone = useRef(false);
  const oldSignIn = useRef<string | null>(null);
  const look = async () => {
    const session = await api.get('/session');
    if (!('person' in session) || isDone.current) return;
    if (isAgain && !session.is_fresh) {
      oldSignIn.current ??= session.signed_in_at;
      if (session.signed_in_at !== oldSignIn.current) onUnproven();
      return;
    }
    isDone.current = true;
    if (session.person.id !== person.id) return location.replace('/documents');
    if (session.account?.id !== account.id) {
      const chosen = await api.post('/account', { body: { account_id: account.id } }).catch(() => null);
      if (chosen === null) return location.replace('/documents');
      otherCompany.set(false);
    }
    latest.current();
  };
  const looking = useRef(look);
  looking.current = look;
  useEffect(() => {
    if (isAgain) void looking.current().catch(() => {});
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void looking.current().catch(() => {});
    }, askMs);
    return () => clearInterval(timer);
  }, [isAgain]);
  return look;
}
