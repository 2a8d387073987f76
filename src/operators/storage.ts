import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** All files of the store when they were measured last. */
export interface StorageTotals {
  files: number;
  bytes: number;
  measured_at: Timestamp;
}

export async function readStorageTotals(db: Queryable): Promise<StorageTotals | null> {
  const [totals] = await db.query<StorageTotals>({
    name: 'read_storage_totals',
    text: 'select files, bytes, measured_at from storage_totals',
    values: [],
  });
  return totals ?? null;
}

export interface CompanyStorage {
  id: string;
  display_name: string;
  files: number;
  bytes: number;
}

/** Lists companies that store something, those that store most first, after one of them. */
export function listCompanyStorage(db: Queryable, afterId: string | null, limit: number): Promise<CompanyStorage[]> {
  return db.query<CompanyStorage>({
    name: 'list_company_storage',
    text: `select s.account_id as id, a.display_name, s.files, s.bytes
           from account_storage s join accounts a on a.id = s.account_id
           where s.bytes > 0 and ($1::uuid is null or
             (s.bytes, s.account_id) < (select bytes, account_id from account_storage where account_id = $1))
           order by s.bytes desc, s.account_id desc limit $2`,
    values: [afterId, limit],
  });
}

export async function readDatabaseBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>({
    name: 'database_size',
    text: 'select pg_database_size(current_database())::bigint as bytes',
    values: [],
  });
  return row?.bytes ?? 0;
}

/** A network disk that fails may never answer. */
const answerMs = 2000;

/** Bytes of the disk of a directory. Null if that cannot be said now. */
export async function readDisk(directory: string): Promise<{ free_bytes: number; total_bytes: number } | null> {
  const read = statfs(directory).then(
    ({ bavail, blocks, bsize }) => ({ free_bytes: bavail * bsize, total_bytes: blocks * bsize }),
    () => null,
  );
  return Promise.race([read, sleep(answerMs, null, { ref: false })]);
}
