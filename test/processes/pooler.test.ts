import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentsChannel } from '../../src/documents/audit.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openDatabase, sqlState } from '../../src/postgres/database.ts';
import { listen } from '../../src/postgres/listen.ts';
import { expectNothingLost, loadSettings, signWhile } from '../chaos/signing-load.ts';
import { openStream } from '../support/event-stream.ts';
import { expectTimeout } from '../support/expect-timeout.ts';
import { type Pooler, startPooler } from '../support/pgbouncer.ts';
import { emptyDatabase, type FreshDatabase } from '../support/postgres.ts';
import { endServers, type Ground, launchServer, type ServerProcess, startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { aDraft, call, createCompany, eventually } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';
import { hasTool } from '../support/tools.ts';
import { createEndpoint } from '../support/webhooks.ts';

const poolSize = 2;
const log = createLog('silent');

let database: FreshDatabase;
let pooler: Pooler;
let dataDir: string;

const failures: { web: Web; text: string }[] = [];
const testPooled = test.runIf(hasTool('pgbouncer'));

beforeAll(async () => {
  database = await emptyDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-pooled-'));
  if (hasTool('pgbouncer')) pooler = await startPooler(database.url, { size: poolSize });
});
afterAll(async () => {
  await endServers();
  await pooler?.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

testPooled('a pooler without DATABASE_DIRECT_URL is refused, also one that drops what it does not know', async () => {
  const settings = ['ignore_startup_parameters = options'];
  const silent = await startPooler(database.url, { size: poolSize, settings });
  const servers = [pooler, silent].map(({ through }) =>
    launchServer({ DATA_DIR: dataDir, DATABASE_URL: through(database.url) }),
  );
  for (const { ready } of servers) {
    await expect(ready).rejects.toThrow(/^the server ended \(1\): countersign: .*set DATABASE_DIRECT_URL .*\n$/);
  }
  await silent.stop();
});

testPooled(
  'each transaction and each single statement through a pooler has its settings, and leaves none',
  async () => {
    const url = pooler.through(database.url);
    const options = { url, throughPooler: true, connectionsMax: 4, log };
    const impatient = openDatabase({ ...options, timeoutMs: 2000, synchronousCommit: 'off' });
    const patient = openDatabase({ ...options, timeoutMs: 30_000 });
    const asked = {
      name: 'settings',
      text: `select array_agg(setting order by lower(name)) as settings from pg_settings
      where name in ('enable_seqscan', 'statement_timeout', 'synchronous_commit', 'TimeZone')`,
      values: [],
    };
    const sleeping = { name: 'sleep', text: 'select pg_sleep($1)', values: [60] };
    for (const [db, timeout, commit] of [
      [impatient, '2000', 'off'],
      [patient, '30000', 'on'],
      [impatient, '2000', 'off'],
    ] as const) {
      const expected = [{ settings: ['off', timeout, commit, 'UTC'] }];
      // At once, so that the connections of the server change hands.
      const answers = await Promise.all([
        db.query(asked),
        db.readsWithin(10_000).query(asked),
        db.readsWithin(10_000).query(asked),
        db.transaction((tx) => tx.query(asked)),
      ]);
      expect(answers).toEqual(Array(4).fill(expected));
    }
    const slept = await Promise.allSettled([
      impatient.query(sleeping),
      impatient.transaction((tx) => tx.query(sleeping)),
    ]);
    expect(slept.map((outcome) => sqlState((outcome as PromiseRejectedResult).reason))).toEqual(['57014', '57014']);
    // A failed read takes no other one on its connection with it.
    const reads = impatient.readsWithin(10_000);
    const failing = { name: 'failing', text: 'select 1 / $1::int', values: [0] };
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4, 5].flatMap(() => [reads.query(asked), reads.query(failing)]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill(['fulfilled', 'rejected']).flat());
    await Promise.all([impatient.close(), patient.close()]);
  },
);

testPooled('two web processes and two workers do all their work over a pooler of two connections', async () => {
  const receiver = await startReceiver();
  const mail = await startMailServer(() => 0);
  const settings = {
    ...loadSettings({ dataDir }, mail.url),
    DATABASE_URL: pooler.through(database.url),
    DATABASE_DIRECT_URL: database.url,
    DATA_DIR: dataDir,
  };
  // All at once on an empty database: one of them creates the tables.
  const [one, two] = await Promise.all([
    ...[1, 2].map(() => startServer({ ...settings, ROLE: 'web' })),
    ...[1, 2].map(() => startServer({ ...settings, ROLE: 'worker' })),
  ]);
  if (one === undefined || two === undefined) throw new Error('not started');
  const db = openDatabase({ url: database.url, connectionsMax: 4, timeoutMs: 60_000, log });
  const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const ground: Ground = { databaseUrl: database.url, dataDir, settings, db, world, clear: async () => {} };
  const company = await createCompany(ground);
  await createEndpoint(ground, company.id, receiver.url);
  const notified = new Set<string>();
  const listener = listen(database.url, [documentsChannel], log, (change) => notified.add(change?.payload ?? ''));
  const stream = await openStream(new URL(two.baseUrl).origin, company.key);

  const working = [one, two].map((web, client) =>
    signWhile({ goesOn: () => false, ground, baseUrl: web.baseUrl, company, client }),
  );
  const told = (await Promise.all(working)).flat();
  await expectNothingLost(ground, receiver, company.id, told, 120_000);
  expect(told).toHaveLength(6);
  expect(mail.accepted.map(({ to }) => to)).toEqual(expect.arrayContaining(told.map(({ address }) => address)));
  await stream.atLeast(4 * told.length);
  await eventually(
    async () => notified,
    (accounts) => accounts.has(company.id),
  );

  // Twins at two processes: an advisory lock lets one of them write.
  const twins = Array.from({ length: 10 }, (_, i) =>
    [one, two].map((web) => createOnce(web, company.key, `twin-${i}`)),
  );
  const answers = await Promise.all(twins.map((pair) => Promise.all(pair)));
  for (const [first, second] of answers) expect(second).toBe(first);
  for (const { web, text } of failures) expectTimeout(web, text);
  expect(new Set(answers.flat()).size).toBe(10);

  const names = await db.query<{ name: string; count: number }>({
    name: '',
    text: `select application_name as name, count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'countersign%'
      group by 1 order by 1`,
    values: [],
  });
  const ofSessions = names.filter(({ name }) => ['countersign jobs', 'countersign listen'].includes(name));
  const ofPooler = names.filter((row) => !ofSessions.includes(row)).reduce((sum, { count }) => sum + count, 0);
  expect(ofSessions).toHaveLength(2);
  expect(ofPooler).toBeLessThanOrEqual(poolSize + 4); // and those of this test
  stream.close();
  await endServers();
  await Promise.all([listener.stop(), db.close(), receiver.stop(), mail.close()]);
});

type Web = ServerProcess & { baseUrl: string };

/** Repeats the request until it is answered, also after a 5xx. Those are checked at the end. */
async function createOnce(web: Web, key: string, idempotencyKey: string): Promise<string> {
  return eventually(
    async () => {
      const headers = { 'idempotency-key': idempotencyKey };
      const { status, body, text } = await call(web, 'POST', '/documents', { key, body: aDraft, headers });
      if (status >= 500) failures.push({ web, text });
      else if (status === 409) expect(body.error.code).toBe('idempotency_in_progress');
      else expect(status).toBe(201);
      return body.id as string;
    },
    (id) => id !== undefined,
  );
}
