import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../bench/child.ts';
import { addCredits, createAccount } from '../../src/accounts/manage-accounts.ts';
import { issueKey } from '../../src/keys/manage-keys.ts';
import { scopes } from '../../src/keys/scopes.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { attachEmbedded } from '../../src/postgres/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { unlocksAtOnce } from '../../src/unlock/convert/create-unlocker.ts';
import { startStoreDouble } from '../imports/store-double.ts';
import { type Imported, writeImported } from './write-imported.ts';

/**
 * `npm run corpus:imports -- DIRECTORY` imports every PDF of a directory from a file store and unlocks it, one request per
 * file, with a service as operators run it. Writes docs/unlocking.md.
 */
const directory = process.argv[2];
if (directory === undefined) {
  console.error('usage: npm run corpus:imports -- DIRECTORY [REPORT.md]');
  process.exit(2);
}
const report = process.argv[3] ?? resolve(import.meta.dirname, '../../docs/unlocking.md');

const work = mkdtempSync(join(tmpdir(), 'countersign-corpus-'));
const log = createLog('error');
const embedded = await attachEmbedded({ dataDir: join(work, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, applicationName: 'corpus' });
const store = await startStoreDouble();
const plans = join(work, 'plans.json');
const plenty = { burst_per_minute: 1_000_000, import_files_per_day: 1_000_000, import_bytes_per_month: 1e12 };
writeFileSync(plans, JSON.stringify({ enterprise: plenty }));
const service = await startChild('bin/countersign', ['serve'], {
  DATABASE_URL: embedded.url,
  DATA_DIR: join(work, 'data'),
  PORT: '0',
  LOG_LEVEL: 'error',
  PLANS_FILE: plans,
  IMPORTS_ALLOW_PRIVATE: 'true',
  CLOUD_FILES_HOSTS: store.host,
});

try {
  const key = await createKey();
  const files = readdirSync(directory).filter((name) => name.toLowerCase().endsWith('.pdf'));
  const left = files.sort().values();
  const imported: Imported[] = [];
  const worker = async () => {
    for (const name of left) {
      imported.push(await importOne(key, join(directory, name)));
      if (imported.length % 100 === 0) console.log(`${imported.length} files`);
    }
  };
  await Promise.all(Array.from({ length: unlocksAtOnce }, worker));
  writeImported(report, imported, existsSync(`/proc/${service.pid}`));
} finally {
  await service.stop();
  await store.stop();
  await db.close();
  await embedded.release();
  rmSync(work, { recursive: true, force: true });
}

async function createKey(): Promise<string> {
  const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const { id } = await createAccount(world, db, { displayName: 'Corpus', tier: 'enterprise' });
  await db.transaction((tx) => addCredits(world, tx, id, 1_000_000));
  const key = { accountId: id, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, key, null));
  if (issued === null) throw new Error('no key');
  return issued.key;
}

interface Item {
  status: string;
  reason: string | null;
  duplicate: boolean;
  unlock: { status: string; pages: number | null; reason: string | null } | null;
}

/** Imports one file, and waits for its outcome and all background work. */
async function importOne(key: string, path: string): Promise<Imported> {
  const name = basename(path);
  const startedAt = performance.now();
  const files = [{ url: store.share('a.pdf', readFileSync(path)) }];
  const started = await ask(key, '/imports', { source: 'cloud_files', files, unlock_doc: true });
  const id = (started as { id?: string }).id;
  if (id === undefined) return { name, outcome: `refused: ${JSON.stringify(started)}`, pages: null, ms: 0 };
  for (;;) {
    const { data } = (await ask(key, `/imports/${id}/items`)) as { data: [Item] };
    const [item] = data;
    const ms = Math.round(performance.now() - startedAt);
    if (item.unlock?.status !== 'pending') return { name, ...outcomeOf(item), ms };
    await sleep(100);
  }
}

function outcomeOf({ status, reason, duplicate, unlock }: Item): { outcome: string; pages: number | null } {
  if (status !== 'filed') return { outcome: `not imported: \`${reason}\``, pages: null };
  if (duplicate) return { outcome: 'the bytes of another of them: the same document', pages: null };
  if (unlock?.status === 'unlocked') return { outcome: 'imported and unlocked', pages: unlock.pages };
  return { outcome: `imported, not unlocked: \`${unlock?.reason}\``, pages: null };
}

async function ask(key: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return response.json();
}
