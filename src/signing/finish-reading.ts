import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type Access, lockSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';
import { endVerification } from './verification.ts';
import { readVerificationCookie } from './verification-cookie.ts';

/** `Finish` clears the device for the next person: its verification ends, and the link alone opens nothing. */
export async function finishReading(
  world: World,
  tx: Tx,
  access: Access,
): Promise<{ state: SigningState; recipientId: string }> {
  const { reader, state } = await lockSession(world, tx, access);
  const token = readVerificationCookie(access.cookies, reader.id, access.origin);
  if (token !== null) await endVerification(tx, reader.id, token);
  return { state, recipientId: reader.id };
}
