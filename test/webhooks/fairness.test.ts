import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, createDraft, eventually, startTestService, type TestService } from '../support/service.ts';
import { createEndpoint, deliveriesOf, recordEvents } from '../support/webhooks.ts';

let database: FreshDatabase;
let web: TestService;
let worker: TestService;
let healthy: Receiver;
let hanging: Receiver;

beforeEach(async () => {
  database = await freshDatabase();
  web = await startTestService({ databaseUrl: database.url, env: { ROLE: 'web' } });
  healthy = await startReceiver();
  hanging = await startReceiver();
  hanging.answer = () => {};
});
afterEach(async () => {
  await hanging.stop(); // ends what hangs, so that the worker need not wait for it
  await healthy.stop();
  await worker.stop();
  await web.stop();
  await database.drop();
});

/** A worker on what is owed already, with the secrets of the web process. */
async function startWorker(timeoutMs: number): Promise<void> {
  worker = await startTestService({
    databaseUrl: database.url,
    clock: web.clock,
    env: {
      ROLE: 'worker',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      DATA_DIR: web.dataDir,
    },
  });
}

/** A company with `count` endpoints at `receiver`, each of which is owed the same `backlog` events. */
async function oweTo(receiver: Receiver, count: number, backlog: number): Promise<string[]> {
  const company = await createCompany(web);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await createEndpoint(web, company.id, `${receiver.url}/${company.id}/${i}`);
    ids.push(id);
  }
  await recordEvents(web, company.id, await createDraft(web, company.key), backlog);
  return ids;
}

const requestsByEndpoint = (received: Received[]) => Map.groupBy(received, ({ path }) => path);

async function expectAllDelivered(endpointId: string, count: number): Promise<void> {
  await eventually(
    async () => new Set(healthy.received.map(({ event }) => event.id)).size,
    (events) => events === count,
    25_000,
  );
  const deliveries = await eventually(
    () => deliveriesOf(web, endpointId),
    (rows) => rows.every(({ status }) => status !== 'pending'),
  );
  expect(deliveries.map(({ status }) => status)).toEqual(Array(count).fill('delivered'));
}

const patience = 600_000;

test('nine endpoints that hang take no delivery from the tenth', async () => {
  const company = await createCompany(web);
  for (let i = 0; i < 9; i++) await createEndpoint(web, company.id, `${hanging.url}/${i}`);
  const { id } = await createEndpoint(web, company.id, healthy.url);
  await startWorker(patience);
  await recordEvents(web, company.id, await createDraft(web, company.key), 200);
  await expectAllDelivered(id, 200);

  // Each of the nine has its share under way, which is not the whole of its backlog, and has settled none.
  const underWay = await eventually(
    async () => [...requestsByEndpoint(hanging.received).values()].map(({ length }) => length),
    ({ length }) => length === 9,
  );
  for (const requests of underWay) expect(requests).toBeLessThan(100);
});

test('sixty endpoints that hang, owed more than there are slots, leave room for one that works', async () => {
  for (let company = 0; company < 3; company++) await oweTo(hanging, 10, 40);
  const [id = ''] = await oweTo(healthy, 1, 100);
  for (let company = 0; company < 3; company++) await oweTo(hanging, 10, 40);
  await startWorker(patience);
  await expectAllDelivered(id, 100);
  await eventually(
    async () => requestsByEndpoint(hanging.received).size,
    (endpoints) => endpoints === 60,
  );
});

test('when every slot is taken by endpoints that hang, each gets its turn, and so does one that works', async () => {
  const hung: string[] = [];
  for (let company = 0; company < 30; company++) hung.push(...(await oweTo(hanging, 10, 40)));
  const [id = ''] = await oweTo(healthy, 1, 5);
  await startWorker(1500);
  await expectAllDelivered(id, 5);

  // It had its turns while all of them still waited for most of theirs.
  const requests = await eventually(
    async () => requestsByEndpoint(hanging.received),
    ({ size }) => size === hung.length,
  );
  const unfinished = [...requests.values()].filter(({ length }) => length < 40);
  expect(unfinished.length).toBeGreaterThan(hung.length / 2);
}, 60_000);
