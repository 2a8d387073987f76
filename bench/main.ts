import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
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
import { httpRequest, type LoadOptions, runLoad } from './load.ts';
import { computedMs } from './process-tree.ts';

/**
 * `npm run bench`: the processor time of each API call, of server and database together, as a share of what the floor takes
 * (bench/floor-server.ts). Both are measured in turn, in rounds of one run, at several numbers of connections. Times depend
 * on the machine and its load, ratios much less. A short form: `node bench/main.ts --rounds 3 --ms 600 --only calls`.
 */
const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '1200' },
    connections: { type: 'string', default: '1,16,64' },
    documents: { type: 'string', default: '1000000' },
    /** `calls`, `memory` or `sizes`. */
    only: { type: 'string' },
  },
});
const rounds = Number(args.rounds);
const roundMs = Number(args.ms);
const connectionCounts = args.connections.split(',').map(Number);
const manyDocuments = Number(args.documents);

/** Ratios at 1, 16 and 64 connections. */
const aims: Record<string, Record<number, number>> = {
  'GET one': { 1: 0.55, 16: 0.65, 64: 0.85 },
  'list 20': { 1: 0.6, 16: 0.8, 64: 0.9 },
  create: { 1: 0.7, 16: 0.7, 64: 0.75 },
  'create + send': { 1: 0.4, 16: 0.4, 64: 0.4 },
};

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const log = createLog('error');
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
await migrateQueue(embedded.url, log);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, timeoutMs: 600_000 });
const postmaster = Number(
  readFileSync(join(directory, 'database', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
);

try {
  const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const account = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const options = { accountId: account.id, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const key = (await db.transaction((tx) => issueKey(world, tx, options, null)))?.key ?? '';
  await seed(db, account.id, 1000);
  await db.query({ name: '', text: 'vacuum analyze documents', values: [] });

  const service = await startChild('bin/countersign', ['serve'], serviceEnvironment());
  await sleep(5000);
  console.log(
    `service ready after ${Math.round(service.readyMs)} ms, resident ${megabytes(service.pid)} MB idle (aim ≤ 120)`,
  );
  const floor = await startChild(process.execPath, ['bench/floor-server.ts', embedded.url, account.id], {});

  const authorization = { Authorization: `Bearer ${key}` };
  const [{ id }] = (await db.query<{ id: string }>({
    name: '',
    text: 'select id from documents order by id desc limit 1',
    values: [],
  })) as [{ id: string }];
  const draft = JSON.stringify({ title: 'Bench', recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  const json = { 'Content-Type': 'application/json' };
  await assertSameAnswer(service, `/documents/${id}`, floor, authorization);

  const api = '/api/v1/documents';
  const get: Pair = [
    [service, always(httpRequest('GET', `${api}/${id}`, authorization))],
    [floor, always(httpRequest('GET', `/documents/${id}`, {}))],
  ];
  const list: Pair = [
    [service, always(httpRequest('GET', api, authorization))],
    [floor, always(httpRequest('GET', '/documents', {}))],
  ];
  const create: Pair = [
    [service, always(httpRequest('POST', api, { ...json, ...authorization }, draft))],
    [floor, always(httpRequest('POST', '/documents', json, draft))],
  ];
  const createAndSend: Pair = [
    [service, createThenSend(httpRequest('POST', api, { ...json, ...authorization }, draft), authorization), 2],
    create[1],
  ];
  if (isWanted('calls')) {
    for (const connections of connectionCounts) {
      await compare('GET one', connections, get);
      await compare('list 20', connections, list);
      await compare('create', connections, create);
      await compare('create + send', connections, createAndSend);
    }
  }
  if (isWanted('memory')) await measureMemory(get[0]);
  if (isWanted('sizes'))
    await compareSizes({ 'GET one': get[0], 'list 20': list[0], create: create[0] }, get[1], account.id);
} finally {
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

function isWanted(part: string): boolean {
  return args.only === undefined || args.only === part;
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

/** A server, its requests, and how many of them are one call. */
type Side = [server: Child, next: LoadOptions['next'], requestsPerCall?: number];
type Pair = [ours: Side, floor: Side];

function always(request: Buffer): LoadOptions['next'] {
  return () => request;
}

/** Creates a document and sends it, in turn. */
function createThenSend(create: Buffer, headers: Record<string, string>): LoadOptions['next'] {
  return (answered) => {
    const id =
      answered === null ? undefined : /^HTTP\/1.1 201 [\s\S]*?"id":"([^"]+)"/.exec(answered.toString('latin1'))?.[1];
    return id === undefined ? create : httpRequest('POST', `/api/v1/documents/${id}/send`, headers);
  };
}

/** A floor that answers less would be too cheap. */
async function assertSameAnswer(service: Child, path: string, floor: Child, headers: object): Promise<void> {
  const ours = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, { headers: { ...headers } });
  const floors = await fetch(`http://127.0.0.1:${floor.port}${path}`);
  deepStrictEqual(await floors.json(), await ours.json());
}

interface Cost {
  cpuMs: number;
  p50: number;
  callsPerSecond: number;
}

async function compare(name: string, connections: number, [ours, floor]: Pair): Promise<void> {
  for (const side of [ours, floor]) await measure(side, connections); // opens connections, plans statements, compiles code
  const pairs: Array<[ours: Cost, floor: Cost]> = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push([await measure(ours, connections), await measure(floor, connections)]);
  }
  const ratios = pairs.map(([a, b]) => b.cpuMs / a.cpuMs).sort((a, b) => a - b);
  const slower = median(pairs.map(([a, b]) => a.p50 / b.p50));
  const [a, b] = pairs[Math.floor(pairs.length / 2)] as [Cost, Cost];
  const show = ({ cpuMs, callsPerSecond }: Cost) =>
    `${cpuMs.toFixed(2)} ms of processor, ${callsPerSecond.toFixed(0)}/s`;
  console.log(
    `${String(connections).padStart(3)} × ${name.padEnd(14)} ratio ${median(ratios).toFixed(2)}` +
      ` (${ratios.map((r) => r.toFixed(2)).join(' ')})${aimOf(name, connections)};` +
      ` ${show(a)}; floor ${show(b)}; p50 ${slower.toFixed(1)} × the floor's`,
  );
}

function aimOf(name: string, connections: number): string {
  const aim = aims[name]?.[connections];
  return aim === undefined ? '' : `, aim ${aim.toFixed(2)}`;
}

/** The load generator is not counted. While one server is measured, the other one and its connections are idle. */
async function measure([server, next, requestsPerCall = 1]: Side, connections: number): Promise<Cost> {
  const cpuMs = () => computedMs(server.pid) + computedMs(postmaster);
  const before = cpuMs();
  const result = await runLoad({ port: server.port, connections, durationMs: roundMs, next });
  return {
    cpuMs: ((cpuMs() - before) / result.answers) * requestsPerCall,
    p50: result.p50,
    callsPerSecond: result.requestsPerSecond / requestsPerCall,
  };
}

async function measureMemory([server, next]: Side): Promise<void> {
  let left = 100_000;
  while (left > 0) left -= (await runLoad({ port: server.port, connections: 64, durationMs: 2000, next })).answers;
  console.log(`resident after 100,000 requests: ${megabytes(server.pid)} MB (aim ≤ 180)`);
}

/**
 * Writing this many documents takes a while, in which the machine's speed may change. Each cost is therefore a ratio to
 * the floor's GET, which reads one document and takes the same time whatever their number.
 */
async function compareSizes(calls: Record<string, Side>, floor: Side, accountId: string): Promise<void> {
  const costs = async () => {
    const found = new Map<string, number>();
    for (const [name, side] of Object.entries(calls)) found.set(name, await costIn(floor, side));
    return found;
  };
  const few = await costs();
  await seed(db, accountId, manyDocuments);
  await db.query({ name: '', text: 'vacuum analyze documents', values: [] });
  for (const [name, many] of await costs()) {
    const before = few.get(name) ?? 0;
    console.log(
      `${name} at ${manyDocuments} documents costs ${(many / before).toFixed(2)} × (aim ≤ 1.30): ` +
        `${before.toFixed(2)} → ${many.toFixed(2)} times the floor's GET of one, alone on one connection`,
    );
  }
}

async function costIn(floor: Side, side: Side): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++)
    ratios.push((await measure(side, 1)).p50 / (await measure(floor, 1)).p50);
  return median(ratios);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** Drafts without recipients, written as the service would. */
async function seed(database: Database, accountId: string, count: number): Promise<void> {
  await database.query({
    name: '',
    text: `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
             recipient_count, created_at, updated_at, audit_seq, audit_hash)
           select (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex($3::bigint + n), 12, '0'))::uuid,
             $1, 'form', 'draft', 'Seeded ' || n, 'en', 'parallel', 0, '2026-01-01', '2026-01-01', 1, sha256('')
           from generate_series(1, $2::bigint) n`,
    values: [accountId, count, Math.floor(performance.now() * 1000) * 1000],
  });
}
