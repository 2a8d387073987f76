import type { TestService } from '../support/service.ts';

/** Tables that count requests and tries, or keep a session alive. */
const unstable = ['sessions', 'guess_counters', 'rate_usage', 'request_log', 'usage_days', 'known_browsers'];

/** Returns a digest of every table, to check that a request changed nothing. */
export async function snapshotOf({ db }: Pick<TestService, 'db'>): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>({
    name: 'snapshot_tables',
    text: `select table_name as name from information_schema.tables
           where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all ($1) order by 1`,
    values: [unstable],
  });
  const digest = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(coalesce(string_agg(md5(x::text), '' order by md5(x::text)), '')) as digest
     from public."${name}" x`;
  const rows = await db.query<{ name: string; digest: string }>({
    name: 'snapshot',
    text: tables.map(digest).join(' union all '),
    values: [],
  });
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]));
}

/** Waits until two digests in a row agree, because the jobs of the fixtures have finished then. */
export async function settledSnapshot(app: Pick<TestService, 'db'>): Promise<Record<string, string>> {
  for (let before = await snapshotOf(app); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = await snapshotOf(app);
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}
