import type { ByteRange } from '../pdf/reading/find-seals.ts';
import type { StampValidity } from '../pdf/reading/last-stamp.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { renewalTime } from '../sealing/renewal-time.ts';

/** Why a sealed file has no new time-stamp. `missing`: the store has no such file. */
export type RenewalFailure = 'authority' | 'no_later' | 'unreadable' | 'too_large' | 'missing' | 'failed';

/** The newest version of a sealed file. */
export interface SealedVersion {
  account_id: string;
  document_id: string;
  version: number;
  sha256: Buffer;
  bytes: number;
  range: ByteRange;
  failures: number;
}

const columns = `f.account_id, f.document_id, f.version, f.sha256, f.bytes::float8 as bytes, f.byte_range as range,
  f.renewal_failures as failures`;

function sealedVersion({
  range,
  ...row
}: Omit<SealedVersion, 'range'> & { range: Array<number | string> }): SealedVersion {
  return { ...row, range: range.map(Number) as unknown as ByteRange };
}

/** Time after which another worker may look at a file, because the one that claimed it was killed. */
const leaseMs = 15 * 60_000;

/** Claims the file whose next look is the longest overdue. Returns null when none is due. */
export async function claimRenewal(db: Queryable, now: Date): Promise<SealedVersion | null> {
  const rows = await db.query<Parameters<typeof sealedVersion>[0]>({
    name: 'claim_renewal',
    text: `update sealed_files f set renew_at = $2
           from (
             select account_id, document_id, version from sealed_files
             where renew_at <= $1 order by renew_at limit 1 for update skip locked
           ) due
           where f.account_id = due.account_id and f.document_id = due.document_id and f.version = due.version
           returning ${columns}`,
    values: [now, new Date(now.getTime() + leaseMs)],
  });
  return rows[0] === undefined ? null : sealedVersion(rows[0]);
}

/** Finds the newest version of the sealed file of a document. Null: it has none, or an early version did not record it. */
export async function findSealedVersion(
  db: Queryable,
  accountId: string,
  documentId: string,
): Promise<SealedVersion | null> {
  const rows = await db.query<Parameters<typeof sealedVersion>[0]>({
    name: 'find_sealed_version',
    text: `select ${columns} from sealed_files f
           where f.account_id = $1 and f.document_id = $2 order by f.version desc limit 1`,
    values: [accountId, documentId],
  });
  return rows[0] === undefined ? null : sealedVersion(rows[0]);
}

/** Records until when a file is protected. Null: it has no time-stamp and is not looked at again. */
export async function recordStamp(db: Queryable, file: SealedVersion, stamp: StampValidity | null): Promise<void> {
  await setRenewal(db, file, {
    until: stamp?.until ?? null,
    at: stamp && renewalTime(stamp),
    failures: 0,
    failure: null,
  });
}

/** Stops looking at a file, because it was erased or replaced. */
export async function endRenewals(db: Queryable, file: SealedVersion): Promise<void> {
  await setRenewal(db, file, { until: null, at: null, failures: 0, failure: null });
}

const firstRetryMs = 15 * 60_000;
const retryMsMax = 86_400_000;

/** What another attempt would find again. */
const lasting: readonly RenewalFailure[] = ['unreadable', 'too_large'];

/**
 * Records that a file got no new time-stamp. The next attempt is after 15 minutes, then after twice as long, up to a day. There is
 * none after a failure that lasts.
 */
export async function postponeRenewal(
  db: Queryable,
  now: Date,
  file: SealedVersion,
  failure: RenewalFailure,
  stamp: StampValidity | null,
): Promise<void> {
  const waitMs = Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(file.failures, 10));
  const at = lasting.includes(failure) ? null : new Date(now.getTime() + waitMs);
  await setRenewal(db, file, { until: stamp?.until ?? null, at, failures: file.failures + 1, failure });
}

async function setRenewal(
  db: Queryable,
  { account_id, document_id, version }: SealedVersion,
  {
    until,
    at,
    failures,
    failure,
  }: { until: Date | null; at: Date | null; failures: number; failure: RenewalFailure | null },
): Promise<void> {
  await db.query({
    name: 'set_renewal',
    // A version that was replaced meanwhile stays at rest.
    text: `update sealed_files f set stamped_until = coalesce($4, stamped_until), renew_at = $5, renewal_failures = $6, renewal_failure = $7
           where account_id = $1 and document_id = $2 and version = $3 and not exists (
             select from sealed_files later
             where later.account_id = $1 and later.document_id = $2 and later.version > $3
           )`,
    values: [account_id, document_id, version, until, at, failures, failure],
  });
}

/** Records the file with a new time-stamp as the next version. Runs in the transaction that switches the document to it. */
export async function recordRenewedFile(
  tx: Tx,
  { account_id, document_id, version }: SealedVersion,
  { sha256, bytes, stamp }: { sha256: string; bytes: number; stamp: StampValidity },
): Promise<void> {
  await tx.query({
    name: 'record_renewed_file',
    text: `with replaced as (
             update sealed_files set renew_at = null, renewal_failures = 0, renewal_failure = null
             where account_id = $1 and document_id = $2 and version = $3
             returning byte_range, signed_digest
           )
           insert into sealed_files (account_id, document_id, version, sha256, bytes, byte_range, signed_digest, stamped_until, renew_at)
           select $1, $2, $3 + 1, $4, $5, byte_range, signed_digest, $6, $7 from replaced`,
    values: [account_id, document_id, version, Buffer.from(sha256, 'hex'), bytes, stamp.until, renewalTime(stamp)],
  });
}

/** Sealed files that need a new time-stamp. */
interface RenewalCounts {
  /** Those that wait for a worker, without those that were not read yet. */
  due: number;
  /** Those whose last attempt failed, and that are tried again. */
  failing: number;
  /** Those of both whose time-stamp has ended. */
  ended: number;
  /** Those that were sealed by earlier versions and were not read yet. */
  unread: number;
}

/** No count goes beyond this, because it is read on each scrape. */
const countMax = 100_000;

export async function countRenewals(db: Queryable, now: Date): Promise<RenewalCounts> {
  const [row] = await db.query<RenewalCounts>({
    name: 'count_renewals',
    text: `with waiting as (
             select stamped_until from sealed_files where renew_at <= $1 and renewal_failure is null limit ${countMax}
           ), failing as (
             select stamped_until from sealed_files where renewal_failure is not null and renew_at is not null limit ${countMax}
           )
           select (select count(*)::int from waiting where stamped_until is not null) as due,
             (select count(*)::int from failing) as failing,
             (select count(*)::int from (table waiting union all table failing) f where stamped_until <= $1) as ended,
             (select count(*)::int from waiting where stamped_until is null) as unread`,
    values: [now],
  });
  return row ?? { due: 0, failing: 0, ended: 0, unread: 0 };
}
