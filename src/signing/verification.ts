import { createHash } from 'node:crypto';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/**
 * Lifetime of a verification, renewed by each action. A verification records that one browser entered a recipient's code.
 * Its token is 256 random bits, and only the SHA-256 is stored.
 */
const minutesValid = 30;

/** Creates a verification and returns the token for the browser's cookie. Deletes the recipient's expired ones. */
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

/** Returns whether the token belongs to this recipient and is still valid. Does not extend it. */
export async function isVerified(world: World, db: Queryable, recipientId: string, token: string): Promise<boolean> {
  const rows = await db.query({
    name: 'find_verification',
    text: 'select 1 from verifications where token_hash = $1 and recipient_id = $2 and expires_at > $3',
    values: [hashToken(token), recipientId, world.clock.now()],
  });
  return rows.length === 1;
}

/** Extends a valid verification by 30 minutes. Returns false if the token is unknown or has expired. */
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

/** Ends the verification of this browser only. */
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
