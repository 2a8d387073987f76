import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { issueKey } from '../src/keys/manage-keys.ts';
import { scopes } from '../src/keys/scopes.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { type Child, endChildren, startChild } from './child.ts';
import { httpRequest, type LoadResult, runLoad } from './load.ts';

/**
 * `npm run bench`: each API call compared with a bare route of the same stack on the same database, in interleaved rounds
 * of one run, as ratios. Absolute numbers depend on the machine and its load, ratios much less.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 3000);
const connections = 64;
const manyDocuments = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const log = createLog('error');
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
await migrateQueue(embedded.url, log);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, timeoutMs: 600_000 });

try {
  const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const account = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const wish = { accountId: account.id, mode: 'test', scopes, name: null, expiresAt: null, legacy: false } as const;
  const key = (await db.transaction((tx) => issueKey(world, tx, wish, null)))?.key ?? '';
  await seed(db, account.id, 1000, 0);

  const service = await startChild('bin/countersign', ['serve'], serviceEnvironment());
  const bare = await startChild(process.execPath, ['bench/bare-server.ts', embedded.url, account.id], {});
  console.log(`service ready after ${Math.round(service.readyMs)} ms, resident ${megabytes(service.pid)} MB idle`);

  const authorization = { Authorization: `Bearer ${key}` };
  const [{ id }] = (await db.query<{ id: string }>({
    name: '',
    text: 'select id from documents order by id desc limit 1',
    values: [],
  })) as [{ id: string }];
  const draft = JSON.stringify({ title: 'Bench', recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  const json = { 'Content-Type': 'application/json' };

  const get = (path: string, headers = {}) => always(httpRequest('GET', path, headers));
  const post = (path: string, headers = {}) => always(httpRequest('POST', path, { ...json, ...headers }, draft));
  await compare(
    'GET one',
    0.6,
    [service, get(`/api/v1/documents/${id}`, authorization)],
    [bare, get(`/documents/${id}`)],
  );
  await compare('list 20', 0.7, [service, get('/api/v1/documents', authorization)], [bare, get('/documents')]);
  await compare('create', 0.5, [service, post('/api/v1/documents', authorization)], [bare, post('/documents')]);
  await compareSends(service, bare, authorization);
  await measureMemory(service, get(`/api/v1/documents/${id}`, authorization));
  await compareListSizes(
    [service, get('/api/v1/documents', authorization)],
    [bare, get(`/documents/${id}`)],
    account.id,
  );
} finally {
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

function serviceEnvironment(): Record<string, string> {
  const plans = join(directory, 'plans.json');
  const unlimited = { burst_per_minute: 2_000_000_000, requests_per_day: 2_000_000_000 };
  writeFileSync(plans, JSON.stringify({ enterprise: unlimited }));
  return {
    DATABASE_URL: embedded.url,
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    ROLE: 'web',
    PLANS_FILE: plans,
    IP_REQUESTS_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'warn',
  };
}

type Side = [Child, () => Buffer];

function always(request: Buffer): () => Buffer {
  return () => request;
}

async function compare(name: string, aim: number | null, ours: Side, floor: Side, ms = roundMs): Promise<void> {
  for (const side of [ours, floor]) await load(side, ms); // opens connections, plans statements and compiles code
  const pairs: Array<[LoadResult, LoadResult]> = [];
  for (let round = 0; round < rounds; round++) pairs.push([await load(ours, ms), await load(floor, ms)]);
  const ratios = pairs.map(([a, b]) => a.requestsPerSecond / b.requestsPerSecond).sort((a, b) => a - b);
  const ratio = median(ratios);
  const [a, b] = pairs[Math.floor(pairs.length / 2)] as [LoadResult, LoadResult];
  console.log(
    `${name.padEnd(16)} ratio ${ratio.toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(' ')})` +
      `${aim === null ? '' : `, aim ${aim.toFixed(2)}`}; ` +
      `${Math.round(a.requestsPerSecond)}/s p99 ${a.p99.toFixed(1)} ms beside ${Math.round(b.requestsPerSecond)}/s p99 ${b.p99.toFixed(1)} ms`,
  );
}

function load([child, next]: Side, durationMs: number): Promise<LoadResult> {
  return runLoad({ port: child.port, connections, durationMs, next });
}

/** Each send needs its own draft. They are prepared before, and used once. */
async function compareSends(service: Child, bare: Child, headers: Record<string, string>): Promise<void> {
  const [{ account_id }] = (await db.query<{ account_id: string }>({
    name: '',
    text: 'select account_id from documents limit 1',
    values: [],
  })) as [{ account_id: string }];
  const drafts = await seed(db, account_id, 60_000, 1);
  const nextOf = (path: string, extra: Record<string, string>) => () => {
    const id = drafts.pop();
    if (id === undefined) throw new Error('out of drafts: lower BENCH_ROUND_MS');
    return httpRequest('POST', `${path}/${id}/send`, extra);
  };
  await compare('send', null, [service, nextOf('/api/v1/documents', headers)], [bare, nextOf('/documents', {})], 800);
}

async function measureMemory(service: Child, next: () => Buffer): Promise<void> {
  let left = 100_000;
  while (left > 0) {
    const { requestsPerSecond } = await load([service, next], 2000);
    left -= requestsPerSecond * 2.2;
  }
  console.log(`resident after 100,000 requests: ${megabytes(service.pid)} MB (aim < 250)`);
}

/**
 * Writing this many documents takes a while, in which the machine's speed may change. Each cost is therefore a ratio to
 * the bare route, which reads one document and takes the same time whatever their number.
 */
async function compareListSizes(list: Side, floor: Side, accountId: string): Promise<void> {
  const few = await costIn(floor, list);
  await seed(db, accountId, manyDocuments, 0);
  await db.query({ name: '', text: 'vacuum analyze documents', values: [] });
  const many = await costIn(floor, list);
  console.log(
    `a list page at ${manyDocuments} documents costs ${(many / few).toFixed(2)} × (aim ≤ 1.30): ` +
      `${few.toFixed(2)} → ${many.toFixed(2)} times a bare GET of one, alone on one connection`,
  );
}

async function costIn(floor: Side, side: Side): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push((await latency(side)) / (await latency(floor)));
  return median(ratios);
}

async function latency([child, next]: Side): Promise<number> {
  return (await runLoad({ port: child.port, connections: 1, durationMs: 1500, next })).p50;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** Drafts of one recipient each (or none), written as the service would. Returns their ids. */
async function seed(database: Database, accountId: string, count: number, recipients: 0 | 1): Promise<string[]> {
  const rows = await database.query<{ id: string }>({
    name: '',
    text: `with new as (
             insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
               recipient_count, created_at, updated_at, audit_seq, audit_hash)
             select (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex($4::bigint + n), 12, '0'))::uuid,
               $1, 'form', 'draft', 'Seeded ' || n, 'en', 'parallel', $3, '2026-01-01', '2026-01-01', 1, sha256('')
             from generate_series(1, $2::bigint) n
             returning id, account_id
           ), parties as (
             insert into recipients (id, account_id, document_id, position, display_name, email, channel, sign_order,
               auth_level, status)
             select gen_random_uuid(), account_id, id, 0, 'Ada', 'ada@example.com', 'email', 1, 'l0_email_link', 'pending'
             from new where $3 > 0
           )
           select id from new`,
    values: [accountId, count, recipients, Math.floor(performance.now() * 1000) * 1000],
  });
  return rows.map((row) => row.id);
}
