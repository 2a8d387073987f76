import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { ApiError } from '../errors.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/** Two requests are the same when account, endpoint with its path id, key and body are the same. */
export interface IdempotencyClaim {
  accountId: string;
  endpoint: string;
  key: string;
  requestSha256: Buffer;
  /** The id of the request that claims the key. Kept with its answer. */
  requestId: string;
}

export interface StoredAnswer {
  status: number;
  body: string;
  /** Set when it is the stored answer of an earlier request. */
  replayed?: { requestId: string | null };
}

const keyLengthMax = 255;
/** A key with U+FEFF at its beginning is a different one from the key without it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the header's value. Null when it is absent or empty. Node.js decodes headers as latin1. Throws `invalid_idempotency_key`. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null;
  const value = decodeHeader(String(header));
  const length = [...value].length;
  if (length > keyLengthMax || value.includes('\u0000')) throw new ApiError('invalid_idempotency_key');
  return value;
}

function decodeHeader(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** Hashes the body without the access token. A retry with another token, or none, is the same request. */
export function requestDigest(body: unknown): Buffer {
  const compared =
    typeof body === 'object' && body !== null && 'access_token' in body ? { ...body, access_token: undefined } : body;
  return createHash('sha256').update(canonicalJson(compared)).digest();
}

/**
 * Claims the key for this transaction, or returns the stored answer. The advisory lock refuses a request with the same key at
 * once while the first one runs. It ends with the transaction, so a crash frees the key. Lock and look-up are two statements, because the
 * second one must see what the last lock holder committed.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  claim: IdempotencyClaim,
  oldestValid: Date,
): Promise<StoredAnswer | null> {
  const [isTaken, record] = await Promise.all([tryLockKey(tx, claim), findRecord(tx, claim, oldestValid)]);
  // Another repetition may hold the lock.
  if (record !== null) return answerOf(record, claim);
  if (!isTaken) throw new ApiError('idempotency_in_progress');
  return null;
}

/** Returns whether the caller's transaction has the key now. */
export async function tryLockKey(tx: Tx, claim: IdempotencyClaim): Promise<boolean> {
  const [lock] = await tx.query<{ taken: boolean }>({
    name: 'lock_idempotency_key',
    text: 'select pg_try_advisory_xact_lock($1) as taken',
    values: [lockNumber(claim)],
  });
  return lock?.taken === true;
}

/** Waits until the caller's transaction has the key. */
export async function lockKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  await tx.query({
    name: 'wait_for_idempotency_key',
    text: 'select pg_advisory_xact_lock($1)',
    values: [lockNumber(claim)],
  });
}

/** One row of `idempotency_records`: a request that was answered. */
interface AnsweredRequest {
  request_sha256: Buffer;
  status: number;
  body: string;
  request_id: string | null;
}

/** Returns the answered request with this key. Null: there is none. */
export async function findRecord(tx: Tx, claim: IdempotencyClaim, oldestValid: Date): Promise<AnsweredRequest | null> {
  const [record] = await tx.query<AnsweredRequest>({
    name: 'find_idempotency_record',
    text: `select request_sha256, status, body, request_id from idempotency_records
           where account_id = $1 and endpoint = $2 and key = $3 and created_at > $4`,
    values: [claim.accountId, claim.endpoint, claim.key, oldestValid],
  });
  return record ?? null;
}

/** Returns the answer to replay. Throws `idempotency_key_reused` if another request was answered. */
export function answerOf(record: AnsweredRequest, claim: IdempotencyClaim): StoredAnswer {
  if (!record.request_sha256.equals(claim.requestSha256)) throw new ApiError('idempotency_key_reused');
  return { status: record.status, body: record.body, replayed: { requestId: record.request_id } };
}

/** Stores the answer in the transaction of its write. Overwrites only expired records. */
export async function rememberAnswer(tx: Tx, claim: IdempotencyClaim, answer: StoredAnswer, now: Date): Promise<void> {
  await tx.query({
    name: 'remember_answer',
    text: `insert into idempotency_records (account_id, endpoint, key, request_sha256, status, body, created_at, request_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (account_id, endpoint, key) do update
           set request_sha256 = excluded.request_sha256, status = excluded.status, body = excluded.body,
               created_at = excluded.created_at, request_id = excluded.request_id`,
    values: [
      claim.accountId,
      claim.endpoint,
      claim.key,
      claim.requestSha256,
      answer.status,
      answer.body,
      now,
      claim.requestId,
    ],
  });
}

/** Removes up to `limit` answers that were stored before a time. Returns how many. */
export async function removeAnswers(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'remove_answers',
    text: `delete from idempotency_records where ctid = any (array(
             select ctid from idempotency_records where created_at <= $1 limit $2)) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}

function lockNumber(claim: IdempotencyClaim): string {
  const text = `${claim.accountId}\n${claim.endpoint}\n${claim.key}`;
  return createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
}
