import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { issueKey } from '../src/keys/manage-keys.ts';
import { scopes } from '../src/keys/scopes.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { type Child, endChildren, startChild } from './child.ts';

/**
 * The part of `npm run bench` about imports: how fast files are imported, compared with plain streaming, SHA-256 and fsync
 * of the same bytes, and how much memory the service takes for large files.
 */
const filesPerImport = 25;
const MB = 1_000_000;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const log = createLog('error');
const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, applicationName: 'bench' });
let number = 0;

try {
  const store = await startChild(process.execPath, ['bench/large-files.ts'], {});
  const service = await startService(store);
  const key = await createKey();
  await importFiles(service, store, key, 1000); // loads and compiles what the first use needs
  await measureSpeed(service, store, key);
  await measureMemory(service, store, key, 10 * MB);
  await measureMemory(service, store, key, 150 * MB);
} finally {
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

async function startService(store: Child): Promise<Child> {
  const plansFile = join(directory, 'plans.json');
  const plenty = { burst_per_minute: 1_000_000, import_files_per_day: 1_000_000, import_bytes_per_month: 1e12 };
  writeFileSync(plansFile, JSON.stringify({ enterprise: plenty }));
  return startChild('bin/countersign', ['serve'], {
    DATABASE_URL: embedded.url,
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    PLANS_FILE: plansFile,
    IMPORTS_ALLOW_PRIVATE: 'true',
    CLOUD_FILES_HOSTS: `127.0.0.1:${store.port}`,
  });
}

async function createKey(): Promise<string> {
  const { id } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const options = { accountId: id, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, options, null));
  if (issued === null) throw new Error('no key');
  return issued.key;
}

/** In seconds. */
async function importFiles(service: Child, store: Child, key: string, bytes: number): Promise<number> {
  const files = Array.from({ length: filesPerImport }, () => ({ url: linkTo(store, bytes) }));
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'cloud_files', files, unlock_doc: false }),
  });
  const answer = (await response.json()) as { filed?: number };
  if (answer.filed !== filesPerImport) throw new Error(`not all were filed: ${JSON.stringify(answer)}`);
  return (performance.now() - startedAt) / 1000;
}

function linkTo(store: Child, bytes: number): string {
  number += 1;
  return `http://127.0.0.1:${store.port}/s/${number}/${bytes}.pdf`;
}

async function measureSpeed(service: Child, store: Child, key: string): Promise<void> {
  const bytes = 10 * MB;
  const [plain, imported] = [[] as number[], [] as number[]];
  for (let round = 0; round < 3; round += 1) {
    plain.push(await fetchPlainly(store, bytes));
    imported.push(await importFiles(service, store, key, bytes));
  }
  const speed = (seconds: number[]) => (filesPerImport * bytes) / MB / Math.min(...seconds);
  const share = (speed(imported) / speed(plain)) * 100;
  console.log(
    `imports: ${filesPerImport} × ${bytes / MB} MB at ${speed(imported).toFixed(0)} MB/s, ${share.toFixed(0)} % of plain streaming + SHA-256 + fsync (${speed(plain).toFixed(0)} MB/s)`,
  );
}

/** The floor: the same bytes, four files at a time, hashed, written and synced, without any check or record. */
async function fetchPlainly(store: Child, bytes: number): Promise<number> {
  const links = Array.from({ length: filesPerImport }, () => linkTo(store, bytes)).values();
  const startedAt = performance.now();
  const worker = async () => {
    for (const link of links) await fetchOne(link);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return (performance.now() - startedAt) / 1000;
}

async function fetchOne(link: string): Promise<void> {
  const path = join(directory, `plain-${systemRandom.bytes(8).toString('hex')}`);
  const file = await open(path, 'wx');
  const hash = createHash('sha256');
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) => get(link, resolve));
  for await (const chunk of response) {
    hash.update(chunk);
    await file.write(chunk);
  }
  hash.digest();
  await file.sync();
  await file.close();
  rmSync(path);
}

async function measureMemory(service: Child, store: Child, key: string, bytes: number): Promise<void> {
  const before = residentMB(service, 'VmRSS');
  resetPeak(service);
  const seconds = await importFiles(service, store, key, bytes);
  const grown = residentMB(service, 'VmHWM') - before;
  console.log(
    `imports: ${filesPerImport} × ${bytes / MB} MB in ${seconds.toFixed(1)} s, resident memory ${before.toFixed(0)} MB, at most ${grown.toFixed(0)} MB more meanwhile`,
  );
}

/** Returns the memory of the service's own process, on Linux. Its PDF processes have their own limits. */
function residentMB({ pid }: Child, field: 'VmRSS' | 'VmHWM'): number {
  const [, kB] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kB) / 1024;
}

function resetPeak({ pid }: Child): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
