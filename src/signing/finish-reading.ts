import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type Access, lockSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { endVerification } from './verification.ts';
import { readVerificationCookie } from './verification-cookie.ts';

/** Ends the browser's verification when the person chooses `Finish`, so that the next person at the device sees nothing. */
export async function finishReading(
  world: World,
  tx: Tx,
  access: Access,
): Promise<{ state: SigningState; recipientId: string }> {
  const { recipient, state } = await lockSession(world, tx, access);
  const token = readVerificationCookie(access.cookies, recipient.id, access.origin);
  if (token !== null) await endVerification(tx, recipient.id, token);
  return { state, recipientId: recipient.id };
}
