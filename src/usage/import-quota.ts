import type { Plan } from '../accounts/plans.ts';
import { ApiError } from '../errors.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/** What an account has used of its plan's import limits: files in the UTC day, bytes in the UTC month. */
export interface ImportUse {
  dayFiles: number;
  monthBytes: number;
  /** Bytes of files that have not arrived yet. */
  reservedBytes: number;
}

export interface ImportNeed {
  files: number;
  bytes: number;
}

type Limits = Pick<Plan, 'import_files_per_day' | 'import_bytes_per_month'>;

/** Throws `import_quota_exceeded`, with a message that names the limit or the lack of imports in the plan. */
export function assertWithinQuota(plan: Limits, use: ImportUse, need: ImportNeed): void {
  if (plan.import_files_per_day === 0 && need.files > 0) {
    throw new ApiError('import_quota_exceeded', {
      message:
        'The plan does not include file imports. Nothing was imported or downloaded. Choose a plan with imports.',
    });
  }
  if (use.dayFiles + need.files > plan.import_files_per_day) {
    throw new ApiError('import_quota_exceeded', {
      message: `The plan's limit of ${plan.import_files_per_day} imported files per day is passed: ${use.dayFiles} are used. It resets at 00:00 UTC. Nothing was imported or downloaded.`,
    });
  }
  if (need.bytes > 0 && storageLeft(plan, use) < need.bytes) {
    throw new ApiError('import_quota_exceeded', {
      message: `The plan's import storage of ${plan.import_bytes_per_month} bytes per month does not suffice: ${use.monthBytes} are used, ${use.reservedBytes} are held by imports that are running. Nothing was imported or downloaded.`,
    });
  }
}

/** Bytes. Below zero after a change to a smaller plan. */
export function storageLeft(plan: Limits, use: ImportUse): number {
  return plan.import_bytes_per_month - use.monthBytes - use.reservedBytes;
}

/**
 * Reads the current usage without a lock. Use `lockImportUsage` before deciding by it. The day and month after `now` count too,
 * because the clock of another process may be a little ahead at midnight. Later ones were written by a clock that was wrong.
 */
export async function readImportUse(db: Queryable, accountId: string, now: Date): Promise<ImportUse> {
  const rows = await db.query<ImportUse>({
    name: 'read_import_use',
    text: `select case when u.day between $2 and $2 + 1 then u.day_files else 0 end as "dayFiles",
             case when u.month between $3 and $3 + 1 then u.month_bytes else 0 end as "monthBytes",
             (${reserved})::bigint as "reservedBytes"
           from (values ($1::uuid)) as wanted (account_id)
           left join import_usage u on u.account_id = wanted.account_id`,
    values: [accountId, dayOf(now), monthOf(now)],
  });
  return rows[0] as ImportUse;
}

const reserved = `select coalesce(sum(reserved_bytes), 0) from import_items
  where account_id = $1 and status in ('queued', 'running') and reserved_bytes > 0`;

/**
 * Locks the account's usage until the transaction ends, and moves it to the day and month of `now`, unless they are those after
 * it. Starting an import and storing its files need this lock, so that two of them never use the same quota.
 */
export async function lockImportUsage(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'lock_import_usage',
    text: `insert into import_usage as u (account_id, day, day_files, month, month_bytes) values ($1, $2, 0, $3, 0)
           on conflict (account_id) do update set
             day = case when u.day = $2 + 1 then u.day else $2 end,
             day_files = case when u.day between $2 and $2 + 1 then u.day_files else 0 end,
             month = case when u.month = $3 + 1 then u.month else $3 end,
             month_bytes = case when u.month between $3 and $3 + 1 then u.month_bytes else 0 end`,
    values: [accountId, dayOf(now), monthOf(now)],
  });
}

/** Counts files, under the lock. Every requested file counts, also one that fails or is known already. */
export async function countFiles(tx: Tx, accountId: string, files: number): Promise<void> {
  await tx.query({
    name: 'count_imported_files',
    text: `with counted as (
             update import_usage set day_files = day_files + $2 where account_id = $1 returning account_id, day
           )
           insert into usage_days as u (account_id, day, import_files) select account_id, day, $2 from counted
           on conflict (account_id, day) do update set import_files = u.import_files + excluded.import_files`,
    values: [accountId, files],
  });
}

/** Adds bytes, under the lock, in the transaction that stores a new file. */
export async function chargeStorage(tx: Tx, accountId: string, bytes: number): Promise<void> {
  await tx.query({
    name: 'charge_import_storage',
    text: `with charged as (
             update import_usage set month_bytes = month_bytes + $2 where account_id = $1 returning account_id, day
           )
           insert into usage_days as u (account_id, day, import_bytes) select account_id, day, $2 from charged
           on conflict (account_id, day) do update set import_bytes = u.import_bytes + excluded.import_bytes`,
    values: [accountId, bytes],
  });
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / 86_400_000);
}

/** Returns the months since the epoch, in UTC. */
export function monthOf(now: Date): number {
  return (now.getUTCFullYear() - 1970) * 12 + now.getUTCMonth();
}
