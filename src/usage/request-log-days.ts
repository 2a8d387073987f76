import { firstIdAt } from '../platform/ids.ts';
import type { Queryable, Transactional, Tx } from '../postgres/database.ts';

/**
 * The request log is partitioned by day (UTC): a table in the schema `request_log_days` for each, and `other` for rows of
 * days that have none. Writers and readers use the table `request_log` and need to know nothing of it.
 */
interface DayTable {
  name: string;
  /** The first id after its rows. Null: `other`, which has no bounds. */
  ends_before: string | null;
  /** As PostgreSQL's statistics have it. */
  rows: number;
}

const dayMs = 86_400_000;
/** Three days without a worker cost nothing. After that, rows go into `other` until the next day is added. */
const daysAhead = 3;
/** Writers of the log wait no longer than this for a change of its days. A change that comes too late is tried again. */
const lockTimeout = '1s';

/**
 * Adds the days from today on, the last one first, so that moving the rows that today already has delays no other day. Does nothing
 * when another process is at it. Throws when a change takes too long: rows then stay in `other`, where they are found and removed too.
 */
export async function addDays(db: Transactional, now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / dayMs);
  const days = Array.from({ length: daysAhead + 1 }, (_, before) => today + daysAhead - before);
  for (const day of await missing(db, days)) {
    await changeDays(db, async (tx) => {
      if (!(await endsOf(tx)).includes(startOf(day + 1))) await addDay(tx, day);
    });
  }
}

/** Drops the oldest day if all its rows are older than `before`. Returns about how many rows it had. Null: no day is that old. */
export async function dropDayBefore(db: Transactional, before: Date): Promise<number | null> {
  const old = (tables: DayTable[]) => tables.find(({ ends_before: end }) => end !== null && end <= firstIdAt(before));
  const found = old(await listDays(db));
  if (found === undefined) return null;
  const isDropped = await changeDays(db, async (tx) => {
    const still = old(await listDays(tx));
    if (still?.name !== found.name) return false;
    await run(tx, `drop table request_log_days.${found.name}`);
    return true;
  });
  return isDropped ? found.rows : null;
}

/** In the order of time. */
function listDays(db: Queryable): Promise<DayTable[]> {
  return db.query<DayTable>({
    name: 'list_request_log_days',
    text: `select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([0-9a-f-]+)''\\)') as ends_before,
             pg_stat_get_live_tuples(c.oid) as rows
           from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'public.request_log'::regclass order by ends_before nulls last`,
    values: [],
  });
}

/**
 * Returns the days without a table, of days with the last one first. A table of several days ends with one. Days before the first
 * table were dropped, except when it is later than all of `days`: then a clock was ahead.
 */
async function missing(db: Queryable, days: readonly number[]): Promise<number[]> {
  const ends = await endsOf(db);
  const last = startOf((days[0] ?? 0) + 1);
  const first = ends.find((end) => end <= last) ?? '';
  return days.filter((day) => !ends.includes(startOf(day + 1)) && startOf(day) >= first);
}

/** Where the tables of days end, in the order of time. */
async function endsOf(db: Queryable): Promise<string[]> {
  return (await listDays(db)).flatMap(({ ends_before }) => ends_before ?? []);
}

async function addDay(tx: Tx, day: number): Promise<void> {
  const [from, to] = [startOf(day), startOf(day + 1)];
  const name = `day_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '_')}`;
  await run(tx, `create table request_log_days.${name} (like public.request_log including all)`);
  await run(
    tx,
    `with moved as (delete from request_log_days.other where id >= '${from}' and id < '${to}' returning *)
     insert into request_log_days.${name} select * from moved`,
  );
  await run(
    tx,
    `alter table public.request_log attach partition request_log_days.${name} for values from ('${from}') to ('${to}')`,
  );
}

/** Runs `change` in a transaction. Returns false when another process changes the days, or when `change` does. */
function changeDays(db: Transactional, change: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  return db.transaction(async (tx) => {
    await run(tx, `set local lock_timeout = '${lockTimeout}'`);
    const [lock] = await tx.query<{ taken: boolean }>({
      name: '',
      text: `select pg_try_advisory_xact_lock(hashtext('countersign request log days')) as taken`,
      values: [],
    });
    return lock?.taken === true && (await change(tx)) !== false;
  });
}

const startOf = (day: number) => firstIdAt(new Date(day * dayMs));

/** Runs a statement of ours without values, which statements about tables can't have. */
const run = (db: Queryable, text: string) => db.query({ name: '', text, values: [] });
