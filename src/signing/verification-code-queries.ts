import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** A recipient's code as stored, numbered from 1. All changes are made under the lock of the recipient's document. */
export interface StoredCode {
  number: number;
  created_at: Timestamp;
  failed_at: Timestamp | null;
}

/** Lists the recipient's codes since a time, newest first. */
export async function listCodesSince(tx: Tx, recipientId: string, since: Date): Promise<StoredCode[]> {
  return tx.query<StoredCode>({
    name: 'list_codes_since',
    text: `select number, created_at, failed_at from verification_codes
           where recipient_id = $1 and created_at > $2 order by number desc`,
    values: [recipientId, since],
  });
}

export async function nextCodeNumber(tx: Tx, recipientId: string): Promise<number> {
  const rows = await tx.query<{ number: number }>({
    name: 'next_code_number',
    text: 'select coalesce(max(number), 0) + 1 as number from verification_codes where recipient_id = $1',
    values: [recipientId],
  });
  return (rows[0] as { number: number }).number;
}

export async function insertCode(
  tx: Tx,
  code: { recipientId: string; number: number; hmac: Buffer; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.query({
    name: 'insert_code',
    text: `insert into verification_codes (recipient_id, number, code_hmac, created_at, expires_at)
           values ($1, $2, $3, $4, $5)`,
    values: [code.recipientId, code.number, code.hmac, code.createdAt, code.expiresAt],
  });
}

/** Marks a code as not sent, so that it doesn't count, unless it arrived anyway and was used. */
export async function markCodeFailed(tx: Tx, recipientId: string, number: number, now: Date): Promise<void> {
  await tx.query({
    name: 'mark_code_failed',
    text: `update verification_codes set failed_at = $3
           where recipient_id = $1 and number = $2 and used_at is null`,
    values: [recipientId, number, now],
  });
}

/** Counts an attempt at the newest code and returns it. Null if no code is usable: never sent, expired, used or tried five times. */
export async function countTry(
  db: Queryable,
  recipientId: string,
  now: Date,
): Promise<{ number: number; code_hmac: Buffer; tries: number } | null> {
  const rows = await db.query<{ number: number; code_hmac: Buffer; tries: number }>({
    name: 'count_try',
    text: `update verification_codes set tries = tries + 1
           where recipient_id = $1 and used_at is null and expires_at > $2 and tries < 5
             and number = (select max(number) from verification_codes where recipient_id = $1 and failed_at is null)
           returning number, code_hmac, tries`,
    values: [recipientId, now],
  });
  return rows[0] ?? null;
}

/** Marks a code as used by a page. Returns false if it was used already or a newer code has replaced it. */
export async function useCode(
  tx: Tx,
  recipientId: string,
  number: number,
  page: Buffer | null,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'use_code',
    text: `update verification_codes set used_at = $3, used_by = $4
           where recipient_id = $1 and number = $2 and used_at is null and failed_at is null
             and number = (select max(number) from verification_codes where recipient_id = $1 and failed_at is null)
           returning 1`,
    values: [recipientId, number, now, page],
  });
  return rows.length === 1;
}

/** Finds the code that a page has used since a time. */
export async function findCodeUsedBy(
  tx: Tx,
  recipientId: string,
  page: Buffer,
  since: Date,
): Promise<{ number: number; code_hmac: Buffer } | null> {
  const rows = await tx.query<{ number: number; code_hmac: Buffer }>({
    name: 'find_code_used_by',
    text: `select number, code_hmac from verification_codes
           where recipient_id = $1 and used_by = $2 and used_at > $3 order by number desc limit 1`,
    values: [recipientId, page, since],
  });
  return rows[0] ?? null;
}
