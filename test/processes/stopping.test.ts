import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startFaultProxy } from '../support/fault-proxy.ts';
import {
  endServers,
  type Ground,
  launchServer,
  prepareGround,
  type ServerProcess,
  startServer,
} from '../support/process.ts';
import { createCompany, createSent, eventually } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await prepareGround();
});
afterEach(endServers);
afterAll(() => ground.clear());

async function expectStop(server: ServerProcess): Promise<void> {
  const began = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(40_000);
}

async function deliveries(): Promise<string[]> {
  const rows = await ground.db.query<{ state: string }>({
    name: '',
    text: `select state from jobs.job where name = 'deliver-message'`,
    values: [],
  });
  return rows.map(({ state }) => state);
}

test('a process that still loads its code ends well', async () => {
  const signal =
    "process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, 'SIGTERM')))";
  const server = launchServer({
    ...ground.settings,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(signal)}`,
  });
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stdout()).not.toContain('ready');
});

const waitingForLock = `select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
                        where l.locktype = 'advisory' and not l.granted`;

test('a process that waits for the migration of another one ends well', async () => {
  const client = new pg.Client({ connectionString: ground.databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(4917203861)');
    const server = launchServer(ground.settings);
    await eventually(
      async () => (await client.query(waitingForLock)).rowCount,
      (waiting) => waiting === 1,
    );
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  } finally {
    await client.end();
  }
});

test.skipIf(process.platform !== 'linux')(
  'Ctrl-C while it starts, which reaches its whole group, ends it well',
  async () => {
    const service = launchServer(ground.settings, ['setsid']);
    const children = () => readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim();
    // The process that tests the certificate.
    await eventually(
      async () => children(),
      (pids) => pids !== '',
    );
    process.kill(-service.pid, 'SIGINT');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stderr()).not.toContain('PdfWorkerError');
  },
);

test('a delivery that takes too long is handed back, and the next worker makes it', async () => {
  const company = await createCompany(ground);
  let delayMs = 60_000;
  const mail = await startMailServer(() => delayMs);
  const settings = { ...ground.settings, SMTP_URL: mail.url, MAIL_FROM: 'sign@acme.example' };
  const service = await startServer(settings);
  await createSent(service, company.key);
  await eventually(deliveries, ([state]) => state === 'active');

  await expectStop(service);
  expect(await deliveries()).toEqual(['retry']);

  delayMs = 0;
  await startServer({ ...settings, ROLE: 'worker' });
  await eventually(deliveries, ([state]) => state === 'completed', 60_000);
  await mail.close();
});

test('a delivery under way is finished, and not made again', async () => {
  const company = await createCompany(ground);
  const begun = Promise.withResolvers<void>();
  const mail = await startMailServer(async () => {
    begun.resolve();
    await sleep(2000);
  });
  const settings = { ...ground.settings, SMTP_URL: mail.url, MAIL_FROM: 'sign@acme.example' };
  const service = await startServer(settings);
  const document = await createSent(service, company.key);
  await begun.promise;

  await expectStop(service);
  expect(mail.accepted.length).toBe(1);
  const messages = await ground.db.query({
    name: '',
    text: `select m.status, m.attempts, j.state from messages m join jobs.job j on j.id = m.id where m.document_id = $1`,
    values: [document],
  });
  expect(messages).toEqual([{ status: 'accepted', attempts: 1, state: 'completed' }]);
  await mail.close();
});

test('it ends in time though its file store is silent', async () => {
  const asked = Promise.withResolvers<void>();
  const store = createServer(() => asked.resolve());
  await once(store.listen(0, '127.0.0.1'), 'listening');
  await ground.db.query({
    name: '',
    text: `insert into stored_files (sha256, bytes, created_at, unreferenced_at) values ($1, 1, '2020-01-01', '2020-01-01')`,
    values: [Buffer.alloc(32)],
  });
  const service = await startServer({
    ...ground.settings,
    FILES_URL: 's3://bucket',
    S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  await asked.promise;
  await expectStop(service);
  store.closeAllConnections();
  store.close();
});

test.each(['refused', 'frozen'] as const)('it ends in time though its database is %s', async (manner) => {
  const proxy = await startFaultProxy(ground.databaseUrl);
  const service = await startServer({ ...ground.settings, DATABASE_URL: proxy.through(ground.databaseUrl) });
  proxy.away(manner);
  await expectStop(service);
  await proxy.close();
});
