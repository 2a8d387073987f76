import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
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
  await hanging.stop(); // ends hanging requests, so that the worker need not wait
  await healthy.stop();
  await worker.stop();
  await web.stop();
  await database.drop();
});

/** Starts a worker for existing deliveries, with the secrets of the web process. */
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

const companyOf = new Map<string, Company>();

/** Creates a company with `count` endpoints at `receiver`, each with the same `backlog` of pending events. */
async function oweTo(receiver: Receiver, count: number, backlog: number): Promise<string[]> {
  const company = await createCompany(web);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await createEndpoint(web, company.id, `${receiver.url}/${company.id}/${i}`);
    ids.push(id);
    companyOf.set(id, company);
  }
  await recordEvents(web, company.id, await createDraft(web, company.key), backlog);
  return ids;
}

/** Records more events for the endpoint's company. */
async function owe(endpointId: string, count: number): Promise<void> {
  const { id, key } = companyOf.get(endpointId) as Company;
  await recordEvents(web, id, await createDraft(web, key), count);
}

const requestsByEndpoint = (received: Received[]) => Map.groupBy(received, ({ path }) => path);

async function expectAllDelivered(endpointId: string, count: number): Promise<void> {
  await eventually(
    async () => new Set(healthy.received.map(({ event }) => event.id)).size,
    (events) => events === count,
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

  // Each of the nine has part of its backlog in progress, and has finished none.
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

test('600 new endpoints that hang leave room for a new one that works', async () => {
  for (let company = 0; company < 60; company++) await oweTo(hanging, 10, 2);
  const [id = ''] = await oweTo(healthy, 1, 100);
  await startWorker(patience);
  await expectAllDelivered(id, 100);
  // None has more than one in progress, because it may be as slow as the others.
  for (const requests of requestsByEndpoint(hanging.received).values()) expect(requests).toHaveLength(1);
});

test('600 endpoints known to hang share 64 slots, whatever is pending, and take none of the others', async () => {
  for (let company = 0; company < 60; company++) await oweTo(hanging, 10, 2);
  await web.db.query({ name: '', text: `update webhook_endpoints set answers = 'slowly'`, values: [] });
  const [id = ''] = await oweTo(healthy, 1, 300);
  await startWorker(patience);
  await expectAllDelivered(id, 300);
  await eventually(
    async () => hanging.received.length,
    (requests) => requests === 64,
  );
  // Each event wakes the worker, and new events find no more of them in progress.
  await owe(id, 50);
  await expectAllDelivered(id, 350);
  expect(hanging.received).toHaveLength(64);
});

test('an endpoint is known by its last answer: it leaves the slow lane with one that is prompt', async () => {
  hanging.answer = (response) => void setTimeout(() => response.end(), 2500);
  const [id = ''] = await oweTo(hanging, 1, 1);
  await startWorker(30_000);
  const pace = async () => {
    const text = 'select answers from webhook_endpoints';
    const [row] = await web.db.query<{ answers: string }>({ name: '', text, values: [] });
    return row?.answers;
  };
  await eventually(pace, (answers) => answers === 'slowly');
  hanging.answer = (response) => response.end();
  // On a busy machine, the answer to one of them may come late.
  await eventually(
    async () => {
      const answered = hanging.received.length;
      await owe(id, 1);
      await eventually(
        async () => hanging.received.length,
        (count) => count > answered,
      );
      return pace();
    },
    (answers) => answers === 'promptly',
  );
});

test('when every slot is taken by endpoints that hang, each gets its turn, and so does one that works', async () => {
  const hung: string[] = [];
  for (let company = 0; company < 30; company++) hung.push(...(await oweTo(hanging, 10, 40)));
  const [id = ''] = await oweTo(healthy, 1, 5);
  await startWorker(4000);
  await expectAllDelivered(id, 5);

  // It was delivered while the others still waited for most of their deliveries.
  const requests = await eventually(
    async () => requestsByEndpoint(hanging.received),
    ({ size }) => size === hung.length,
  );
  const unfinished = [...requests.values()].filter(({ length }) => length < 40);
  expect(unfinished.length).toBeGreaterThan(hung.length / 2);
});
