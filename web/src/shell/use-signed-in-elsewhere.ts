import { useEffect, useRef } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { otherCompany } from '../api/company.ts';
import { useMe } from '../api/me.ts';

export type Signed = AnswerOf<'POST', '/sign-in'>;

const askMs = 3000;

/**
 * Calls `onSignedIn` once the same person is signed in with the same company, also in another tab. With `isAgain`, an old sign-in
 * does not count. Returns a function that looks at once. When someone else is signed in, the page is left, so that nobody continues
 * another person's work.
 */
export function useSignedInElsewhere(onSignedIn: () => void, isAgain = false): () => Promise<void> {
  const { person, account } = useMe();
  const latest = useRef(onSignedIn);
  latest.current = onSignedIn;
  const isDone = useRef(false);
  const look = async () => {
    const session = await api.get('/session');
    if (!('person' in session) || isDone.current || (isAgain && !session.is_fresh)) return;
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
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void looking.current().catch(() => {});
    }, askMs);
    return () => clearInterval(timer);
  }, []);
  return look;
}
