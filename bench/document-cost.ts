import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { defaultPlans } from '../src/accounts/plans.ts';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { issueKey } from '../src/keys/manage-keys.ts';
import { scopes } from '../src/keys/scopes.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { ensureSecretKey } from '../src/platform/secret-key.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { mintSigningLink } from '../src/signing/signing-link.ts';
import { eventTypes } from '../src/webhooks/event-types.ts';
import { registerEndpoint } from '../src/webhooks/register-endpoint.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startMailServer } from '../test/support/smtp.ts';
import { endChildren, startChild } from './child.ts';
import { computedMs } from './cpu.ts';

/**
 * `node bench/document-cost.ts`: what one completed document costs in processor time, database and file store. Each is created,
 * sent, viewed, signed by one recipient and sealed, with two e-mails and the webhooks of its events. For the arithmetic in
 * docs/operate/scale.md.
 */
const documents = Number(process.env.BENCH_DOCUMENTS ?? 2000);
const warmUp = 200;
const atOnce = 8;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-cost-'));
const dataDir = join(directory, 'data');
const log = createLog('error');
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
await migrateQueue(embedded.url, log);
const db = openDatabase({ url: embedded.url, connectionsMax: 4, log, timeoutMs: 600_000, applicationName: 'bench' });
const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
const receiver = await startReceiver();
const mail = await startMailServer(() => 0);

try {
  const plans = join(directory, 'plans.json');
  const unlimited = { burst_per_minute: 2_000_000_000, requests_per_day: 2_000_000_000 };
  writeFileSync(plans, JSON.stringify({ enterprise: unlimited }));
  const settings = {
    DATABASE_URL: embedded.url,
    DATA_DIR: dataDir,
    PORT: '0',
    PLANS_FILE: plans,
    SMTP_URL: mail.url,
    IP_REQUESTS_PER_MINUTE: '1000000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  };
  const web = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'web' });
  const worker = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'worker' });
  const { accountId, key } = await createCustomer();
  const origin = `http://127.0.0.1:${web.port}`;

  await complete(warmUp, { origin, accountId, key });
  const before = await measure({ web: web.pid, worker: worker.pid });
  await complete(documents, { origin, accountId, key });
  const after = await measure({ web: web.pid, worker: worker.pid });

  const each = (name: Exclude<keyof typeof before, 'tables'>, digits: number) =>
    ((after[name] - before[name]) / documents).toFixed(digits);
  console.log(`${documents} documents, each:`);
  for (const name of ['web', 'worker', 'database'] as const) console.log(`  ${name}: ${each(name, 1)} ms of one core`);
  console.log(`  write-ahead log: ${each('walBytes', 0)} bytes`);
  console.log(`  files: ${each('fileBytes', 0)} bytes`);
  console.log(`  tables and indexes: ${each('tableBytes', 0)} bytes, of which`);
  const grown = [...after.tables].map(([table, bytes]) => ({ table, bytes: bytes - (before.tables.get(table) ?? 0) }));
  for (const { table, bytes } of grown.sort((a, b) => b.bytes - a.bytes).slice(0, 12)) {
    console.log(`    ${table}: ${(bytes / documents).toFixed(0)}`);
  }
} finally {
  await endChildren();
  await Promise.all([db.close(), receiver.stop(), mail.close()]);
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

async function createCustomer(): Promise<{ accountId: string; key: string }> {
  const { id: accountId } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const options = { accountId, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, options, null));
  const secretBox = createSecretBox(await ensureSecretKey(null, dataDir, systemRandom), systemRandom);
  const endpoint = { accountId, url: receiver.url, events: eventTypes };
  await db.transaction((tx) => registerEndpoint(world, tx, { plans: defaultPlans, secretBox }, endpoint, null));
  return { accountId, key: issued?.key ?? '' };
}

interface Customer {
  origin: string;
  accountId: string;
  key: string;
}

/** Completes so many documents, and waits until nothing is left to do. */
async function complete(count: number, customer: Customer): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) await completeOne(customer);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  while (!(await isIdle())) await sleep(200);
}

async function completeOne({ origin, accountId, key }: Customer): Promise<void> {
  const post = async (url: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': world.newId() };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<{ id: string }>;
  };
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const content = { message: 'Please sign by Friday.' };
  const { id } = await post(`${origin}/api/v1/documents`, { title: 'Lease, 12 Elm Street', recipients, content });
  await post(`${origin}/api/v1/documents/${id}/send`);
  const [recipient] = await db.query<{ id: string; holder: number }>({
    name: 'bench_recipient',
    text: 'select id, holder from recipients where account_id = $1 and document_id = $2',
    values: [accountId, id],
  });
  if (recipient === undefined) throw new Error('no recipient');
  const link = await mintSigningLink(world, db, origin, recipient);
  await (await fetch(link)).text();
  await post(`${link}/viewed`);
  await post(`${link}/sign`, { full_name: 'Ada Lovelace', signature: { kind: 'typed' } });
}

async function isIdle(): Promise<boolean> {
  const rows = await db.query({
    name: 'bench_left',
    text: `select where exists (select from documents where sealed_at is null)
      or exists (select from webhook_deliveries where status <> 'delivered')
      or exists (select from messages where status = 'pending')`,
    values: [],
  });
  return rows.length === 0;
}

async function measure(pids: { web: number; worker: number }) {
  // Counters leave with the requests they count, and statistics a moment later.
  await sleep(3000);
  const tables = await db.query<{ name: string; bytes: number }>({
    name: '',
    text: `select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'request_log_days', 'jobs')`,
    values: [],
  });
  const [wal] = await db.query<{ bytes: number }>({
    name: '',
    text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 as bytes`,
    values: [],
  });
  const postmaster = readFileSync(join(directory, 'database', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
  return {
    web: computedMs(pids.web),
    worker: computedMs(pids.worker),
    database: computedMs(Number(postmaster)),
    walBytes: wal?.bytes ?? 0,
    fileBytes: bytesIn(join(dataDir, 'files')),
    tableBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: new Map(tables.map(({ name, bytes }) => [name, bytes])),
  };
}

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
