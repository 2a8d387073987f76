import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { tokenContext } from '../src/esign/connection.ts';
import { issueKey } from '../src/keys/manage-keys.ts';
import { scopes } from '../src/keys/scopes.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { type Child, endChildren, startChild } from './child.ts';

/**
 * The part of `npm run bench` about vendor imports: envelopes per second when the vendor answers at once, the share of
 * time spent waiting when it is slow, and memory and API answer times during the import. BENCH_ENVELOPES sets the number
 * of envelopes.
 */
const many = Number(process.env.BENCH_ENVELOPES ?? 2000);
const slowEnvelopes = 300;
const slowMs = 300;
/** With 50 kB each, this many files would fill a disk. */
const pdfBytes = many > 20_000 ? 2000 : 50_000;
/** The number of concurrent requests, as `fetchesAtOnce` in src/imports/esign/fetch-envelopes.ts. */
const fetchesAtOnce = 6;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const log = createLog('error');
const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
const db = openDatabase({ url: embedded.url, connectionsMax: 2, log, applicationName: 'bench' });
const secretKey = systemRandom.bytes(32);

try {
  const vendor = await startChild(process.execPath, ['bench/esign-vendor.ts'], {});
  const service = await startChild('bin/countersign', ['serve'], serviceEnvironment(vendor));
  await sweep(service, vendor, { envelopes: 100, delayMs: 0, pdfBytes }); // loads and compiles what the first use needs
  await measureRate(service, vendor);
  await measureWaiting(service, vendor);
} finally {
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

function serviceEnvironment(vendor: Child): Record<string, string> {
  const plansFile = join(directory, 'plans.json');
  writeFileSync(plansFile, JSON.stringify({ enterprise: { burst_per_minute: 1_000_000, requests_per_day: 1e9 } }));
  return {
    DATABASE_URL: embedded.url,
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    PLANS_FILE: plansFile,
    SECRET_KEY: secretKey.toString('base64'),
    ESIGN_OAUTH_URL: `http://127.0.0.1:${vendor.port}`,
    ESIGN_CLIENT_ID: 'bench',
    ESIGN_CLIENT_SECRET: 'bench',
  };
}

interface Swept {
  seconds: number;
  /** Answer times of GET /imports/{id} during the import. */
  latenciesMs: number[];
  waitedMs: number;
}

/** Imports this many envelopes in a new company. */
async function sweep(
  service: Child,
  vendor: Child,
  options: { envelopes: number; delayMs: number; pdfBytes: number },
): Promise<Swept> {
  const key = await connectedCompany(vendor);
  await set(vendor, options);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const imports = `http://127.0.0.1:${service.port}/api/v1/imports`;
  const body = JSON.stringify({ source: 'esign_vendor', unlock_doc: false });
  const { id } = (await (await fetch(imports, { method: 'POST', headers, body })).json()) as { id: string };
  const latenciesMs: number[] = [];
  let startedAt = 0;
  for (;;) {
    const askedAt = performance.now();
    const row = (await (await fetch(`${imports}/${id}`, { headers })).json()) as Record<string, number | string>;
    latenciesMs.push(performance.now() - askedAt);
    if (startedAt === 0 && Number(row.total_files) > 0) startedAt = askedAt;
    if (row.status === 'finished') {
      if (row.filed !== options.envelopes) throw new Error(`not all were filed: ${JSON.stringify(row)}`);
      const { waitedMs } = await set(vendor, {});
      return { seconds: (performance.now() - startedAt) / 1000, latenciesMs, waitedMs };
    }
    await sleep(50);
  }
}

async function set(vendor: Child, settings: Record<string, number>): Promise<{ waitedMs: number }> {
  const query = new URLSearchParams(Object.fromEntries(Object.entries(settings).map(([name, n]) => [name, String(n)])));
  return (await fetch(`http://127.0.0.1:${vendor.port}/set?${query}`)).json() as Promise<{ waitedMs: number }>;
}

async function connectedCompany(vendor: Child): Promise<string> {
  const { id: accountId } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const id = world.newId();
  const box = createSecretBox(secretKey, systemRandom);
  await db.query({
    name: 'connect_bench',
    text: `insert into esign_connections (account_id, id, vendor_account_id, base_uri, access_token, refresh_token,
             access_token_ends_at, refresh_due_at, connected_at, refreshed_at)
           values ($1, $2, 'bench', $3, $4, $5, $6, $6, $7, $7)`,
    values: [
      accountId,
      id,
      `http://127.0.0.1:${vendor.port}`,
      box.encrypt('access', tokenContext.access(id)),
      box.encrypt('refresh', tokenContext.refresh(id)),
      new Date(Date.now() + 30 * 86_400_000),
      new Date(),
    ],
  });
  const options = { accountId, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, options, null));
  if (issued === null) throw new Error('no key');
  return issued.key;
}

async function measureRate(service: Child, vendor: Child): Promise<void> {
  const before = residentMB(service, 'VmRSS');
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  const { seconds, latenciesMs } = await sweep(service, vendor, { envelopes: many, delayMs: 0, pdfBytes });
  const grown = residentMB(service, 'VmHWM') - before;
  const sorted = latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
  console.log(
    `migration: ${many} envelopes of ${pdfBytes / 1000} kB from an instant vendor at ${(many / seconds).toFixed(0)}/s, resident memory ${before.toFixed(0)} MB, at most ${grown.toFixed(0)} MB more; GET /imports/{id} meanwhile p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}

async function measureWaiting(service: Child, vendor: Child): Promise<void> {
  const { seconds, waitedMs } = await sweep(service, vendor, { envelopes: slowEnvelopes, delayMs: slowMs, pdfBytes });
  const share = (waitedMs / 1000 / fetchesAtOnce / seconds) * 100;
  console.log(
    `migration: a vendor that takes ${slowMs} ms a document is waited for ${share.toFixed(1)} % of the time (aim ≥ 95), ${(slowEnvelopes / seconds).toFixed(1)} envelopes/s`,
  );
}

function residentMB({ pid }: Child, field: 'VmRSS' | 'VmHWM'): number {
  const [, kB] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kB) / 1024;
}
