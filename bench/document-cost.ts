import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startMailServer } from '../test/support/smtp.ts';
import { endChildren, startChild } from './child.ts';
import { type Customer, createCustomer, isIdle, signDocument } from './document-life.ts';
import { computedMs } from './process-tree.ts';

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
const bench = { world, db, dataDir };
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
  const origin = `http://127.0.0.1:${web.port}`;
  const customer = await createCustomer(bench, { origin, webhookUrl: receiver.url });

  await complete(warmUp, customer);
  const before = await measure({ web: web.pid, worker: worker.pid });
  await complete(documents, customer);
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

/** Completes so many documents, and waits until nothing is left to do. */
async function complete(count: number, customer: Customer): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) await signDocument(bench, customer);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  while (!(await isIdle(bench))) await sleep(200);
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
