import type { Recipient } from '../documents/recipient.ts';
import { endSessionOf } from '../identity/end-sessions.ts';
import { expiredSessionCookie, readSessionCookie } from '../identity/session-cookie.ts';
import { isSignedInAs } from '../identity/sessions.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type Access, lockSession, verificationsOf } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { endVerification } from './verification.ts';
import { expiredVerificationCookies } from './verification-cookie.ts';

/**
 * Ends what this browser proved when the person chooses `Finish`, so that the next person at the device sees nothing: entered codes and,
 * in person, the recipient's own sign-in, because the device belongs to someone else. Returns the headers that delete the cookies.
 */
export async function finishReading(
  world: World,
  tx: Tx,
  access: Access,
): Promise<{ state: SigningState; cookies: string[] }> {
  const { recipient, state } = await lockSession(world, tx, access);
  for (const token of verificationsOf(access, recipient)) await endVerification(tx, recipient.id, token);
  const cookies = expiredVerificationCookies(access.cookies, recipient.id, access.origin);
  return { state, cookies: [...cookies, ...(await signOut(world, tx, access, recipient))] };
}

async function signOut(
  world: World,
  tx: Tx,
  { cookies, origin }: Access,
  { channel, auth_level, email }: Recipient,
): Promise<string[]> {
  if (channel !== 'in_person' || auth_level !== 'l0_account_session' || email === null) return [];
  const token = readSessionCookie(cookies, 'open', origin);
  if (token === null || !(await isSignedInAs(world, tx, token, email))) return [];
  await endSessionOf(tx, token);
  return [expiredSessionCookie('open', origin)];
}
