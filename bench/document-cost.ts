import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { type Customer, createCustomer, isIdle, openBench, signDocument } from './document-life.ts';
import { computedMs } from './process-tree.ts';

/**
 * `node bench/document-cost.ts`: what one completed document costs in processor time, database and file store. Each is created,
 * sent, viewed, signed by one recipient and sealed, with two e-mails and the webhooks of its events. For the arithmetic in
 * docs/operate/scale.md.
 */
const documents = Number(process.env.BENCH_DOCUMENTS ?? 2000);
const warmUp = 200;
const atOnce = 8;

const bench = await openBench();
const { db, directory, dataDir, settings } = bench;

try {
  const web = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'web' });
  const worker = await startChild('bin/countersign', ['serve'], { ...settings, ROLE: 'worker' });
  const origin = `http://127.0.0.1:${web.port}`;
  const customer = await createCustomer(bench, origin);

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
  await bench.close();
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
