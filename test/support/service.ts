import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../src/accounts/manage-accounts.ts';
import type { Tier } from '../../src/accounts/plans.ts';
import { readConfig } from '../../src/config.ts';
import { type RunningQueue, startQueue } from '../../src/jobs/job-queue.ts';
import { issueKey } from '../../src/keys/manage-keys.ts';
import { type Scope, scopes } from '../../src/keys/scopes.ts';
import { createPdfReader } from '../../src/pdf/pdf-reader.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { World } from '../../src/platform/world.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createSealProcesses } from '../../src/sealing/pdf-worker.ts';
import { type Outside, type PdfProcesses, type Service, startService } from '../../src/service.ts';
import { openTestDatabase } from './open-database.ts';
import { freshDatabase } from './postgres.ts';
import { TestClock } from './test-clock.ts';

export { TestClock };

export interface TestService {
  service: Service;
  /** `http://127.0.0.1:PORT/api/v1` */
  baseUrl: string;
  databaseUrl: string;
  dataDir: string;
  clock: TestClock;
  /** The test's own connection, for fixtures and for reading what the API does not show. */
  db: Database;
  world: World;
  /** A queue of its own, started at the first call. It only enqueues. */
  queue(): Promise<RunningQueue>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  clock?: TestClock;
  outside?: Outside;
  /** The database of another service, to run two processes on one database. */
  databaseUrl?: string;
  /** Statements and requests have the time limits that they have outside of tests. Without it they have longer, for busy machines. */
  isImpatient?: boolean;
}

/** Starts the whole service in this process, with a fresh database, a temporary DATA_DIR and a free port. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const own = options.databaseUrl === undefined ? await freshDatabase() : null;
  const databaseUrl = options.databaseUrl ?? (own as { url: string }).url;
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const clock = options.clock ?? new TestClock();
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    IP_REQUESTS_PER_MINUTE: '1000000',
    ...options.env,
  });
  const sharedKey = options.env?.SECRET_KEY || options.env?.DATA_DIR ? undefined : keyOf.get(databaseUrl);
  const hasKeptSecrets = sharedKey === undefined && !areSecretsInUse && canHaveKeptSecrets(options);
  areSecretsInUse ||= hasKeptSecrets;
  const releaseSecrets = () => {
    if (hasKeptSecrets) areSecretsInUse = false;
  };
  if (sharedKey !== undefined) writeFileSync(join(dataDir, 'secret.key'), sharedKey, { mode: 0o600 });
  if (hasKeptSecrets) for (const [name, bytes] of secrets) writeFileSync(join(dataDir, name), bytes, { mode: 0o600 });
  const patience = options.isImpatient ? {} : { patienceMs: 30_000 };
  const outside = { clock, pdfProcesses: pdfProcesses(), ...patience, ...options.outside };
  const service = await startService(config, outside).catch((error) => {
    releaseSecrets();
    throw error;
  });
  if (hasKeptSecrets) for (const name of secretFiles) secrets.set(name, readFileSync(join(dataDir, name)));
  const keyFile = join(dataDir, 'secret.key');
  if (existsSync(keyFile)) keyOf.set(databaseUrl, readFileSync(keyFile));
  const log = createLog('silent');
  const db = openTestDatabase(databaseUrl);
  const world: World = { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log };

  let queue: Promise<RunningQueue> | null = null;
  return {
    service,
    baseUrl: `${service.origin}/api/v1`,
    databaseUrl,
    dataDir,
    clock,
    db,
    world,
    queue() {
      queue ??= startQueue(databaseUrl, log, false);
      return queue;
    },
    async stop() {
      await (await queue)?.stop();
      await service.stop();
      releaseSecrets();
      await db.close();
      await own?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const secretFiles = ['secret.key', 'signing-certificate.p12'];
/** By database: its processes have the same secret key, unless a test gives them others. */
const keyOf = new Map<string, Buffer>();

/**
 * Those of the first service in this process, for the next ones, because making a key takes longer than starting a service. Of
 * services that run at once only one has them: the others are other installations.
 */
const secrets = new Map<string, Buffer>();
let areSecretsInUse = false;

/** Whether the kept secrets will do: the service would make its own for the same time, in a directory of its own. */
function canHaveKeptSecrets({ env = {}, clock, outside }: TestServiceOptions): boolean {
  const given = [env.SECRET_KEY, env.SIGNING_CERT_FILE, env.DATA_DIR, clock, outside?.clock];
  return given.every((one) => one === undefined);
}

let started: PdfProcesses | undefined;

/** Processes for PDFs that all services in this process share: starting them costs more than the rest of a service. They end when idle. */
function pdfProcesses(): PdfProcesses {
  const log = createLog('silent');
  started ??= {
    seal: createSealProcesses({ processes: 1, timeoutMs: 60_000, memoryMaxBytes: 1536 * 2 ** 20, network: false, log }),
    reader: createPdfReader({ log }),
  };
  return started;
}

/** For tests that count processes. */
export async function closePdfProcesses(): Promise<void> {
  await Promise.all([started?.seal.close(), started?.reader.close()]);
  started = undefined;
}

export interface Company {
  id: string;
  /** A live key with every scope. */
  key: string;
  testKey: string;
  keyWith(
    scopes: Scope[],
    extra?: Partial<{ expiresAt: string; legacy: boolean }>,
  ): Promise<{ id: string; key: string }>;
}

export async function createCompany(
  app: Pick<TestService, 'world' | 'db'>,
  tier: Tier = 'enterprise',
): Promise<Company> {
  const { world, db } = app;
  const account = await createAccount(world, db, { displayName: 'Acme Builders', tier });
  const issue = async (mode: 'live' | 'test', granted: readonly Scope[], extra = {}) => {
    const key = { accountId: account.id, mode, scopes: granted, name: null, expiresAt: null, legacy: false, ...extra };
    const issued = await db.transaction((tx) => issueKey(world, tx, key, null));
    if (issued === null) throw new Error('the company does not exist');
    return issued;
  };
  return {
    id: account.id,
    key: (await issue('live', scopes)).key,
    testKey: (await issue('test', scopes)).key,
    keyWith: (granted, extra) => issue('live', granted, extra),
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be
  body: any;
  text: string;
}

export interface CallOptions {
  key?: string | null;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** The API answers with a 500 when a busy machine needs this long for a request, or little longer. */
const answerMsMax = 2000;

/** Repeats a request to a process that got a 500 because of its time limit, as the documentation tells clients. */
async function inTime(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    const began = performance.now();
    const answer = await ask();
    if (answer.status !== 500 || performance.now() - began < answerMsMax || attempts === 20) return answer;
  }
}

/** Sends a request to the API. */
export async function call(
  app: { baseUrl: string },
  method: string,
  path: string,
  { key, body, raw, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(app.baseUrl + path, {
    method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

export const aDraft = {
  title: 'Roof repair',
  recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
};

export async function createDraft(app: { baseUrl: string }, key: string, changes: object = {}): Promise<string> {
  const draft = { ...aDraft, ...changes };
  const { status, body, text } = await inTime(() => call(app, 'POST', '/documents', { key, body: draft }));
  if (status !== 201) throw new Error(`no draft: ${text}`);
  return body.id;
}

export async function createSent(app: { baseUrl: string }, key: string, changes: object = {}): Promise<string> {
  const id = await createDraft(app, key, changes);
  const { status, text } = await inTime(() => call(app, 'POST', `/documents/${id}/send`, { key }));
  if (status !== 200) throw new Error(`not sent: ${text}`);
  return id;
}

/** Waits until a job has had an effect. After a time limit it fails with the last value. */
export async function eventually<T>(
  what: () => Promise<T>,
  holds: (value: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await what();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(`did not come about; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
