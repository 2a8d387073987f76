import { createHash } from 'node:crypto';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';

/**
 * That one browser gave the code of one recipient: 256 random bits, of which only the SHA-256 is stored. It ends half an
 * hour after the last thing that was done with it.
 */
const minutesValid = 30;

/** Returns the token for the browser's cookie. What has run out for this recipient is forgotten. */
export async function openVerification(world: World, tx: Tx, recipientId: string): Promise<string> {
  const token = world.random.bytes(32).toString('base64url');
  const now = world.clock.now();
  await Promise.all([
    tx.query({
      name: 'forget_ended_verifications',
      text: 'delete from verifications where recipient_id = $1 and expires_at <= $2',
      values: [recipientId, now],
    }),
    tx.query({
      name: 'open_verification',
      text: `insert into verifications (token_hash, recipient_id, verified_at, expires_at) values ($1, $2, $3, $4)`,
      values: [hashToken(token), recipientId, now, endOf(now)],
    }),
  ]);
  return token;
}

/** Whether the token is this recipient's and still valid. Changes nothing. */
export async function isVerified(world: World, db: Queryable, recipientId: string, token: string): Promise<boolean> {
  const rows = await db.query({
    name: 'find_verification',
    text: 'select 1 from verifications where token_hash = $1 and recipient_id = $2 and expires_at > $3',
    values: [hashToken(token), recipientId, world.clock.now()],
  });
  return rows.length === 1;
}

/** The same for something that is done: the half hour begins anew. */
export async function renewVerification(world: World, tx: Tx, recipientId: string, token: string): Promise<boolean> {
  const now = world.clock.now();
  const rows = await tx.query({
    name: 'renew_verification',
    text: `update verifications set expires_at = $4
           where token_hash = $1 and recipient_id = $2 and expires_at > $3 returning 1`,
    values: [hashToken(token), recipientId, now, endOf(now)],
  });
  return rows.length === 1;
}

/** Of this browser alone. */
export async function endVerification(tx: Tx, recipientId: string, token: string): Promise<void> {
  await tx.query({
    name: 'end_verification',
    text: 'delete from verifications where token_hash = $1 and recipient_id = $2',
    values: [hashToken(token), recipientId],
  });
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + minutesValid * 60_000);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
