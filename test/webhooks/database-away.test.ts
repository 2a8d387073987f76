import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultyService, startFaultyService } from '../faults/faulty-service.ts';
import type { Away } from '../support/fault-proxy.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { attemptsOf, createEndpoint, deliveriesOf, passTime, settledDeliveries } from '../support/webhooks.ts';

/** Its every connection to the database goes through the proxy; the web process's do not. */
let worker: FaultyService;
let web: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

beforeAll(async () => {
  worker = await startFaultyService({ ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true' });
  web = await startTestService({
    databaseUrl: worker.databaseUrl,
    clock: worker.clock,
    env: { ROLE: 'web', DATA_DIR: worker.dataDir },
  });
});
afterAll(async () => {
  await web.stop();
  await worker.stop();
});
beforeEach(async () => {
  company = await createCompany(web);
  receiver = await startReceiver();
  endpoint = await createEndpoint(worker, company.id, receiver.url);
});
afterEach(async () => {
  await worker.proxy.restore();
  await receiver.stop();
});

/** Nobody is written to about it, so that the worker's next commit is that of an outcome. */
const tell = () => createSent(web, company.key, { recipients: [{ name: 'Ada', channel: 'in_person' }] });

async function expectToldOnce(): Promise<void> {
  const [delivery, ...others] = await settledDeliveries(web, endpoint.id);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({ status: 'delivered', failures: 0 });
  expect(await attemptsOf(web, delivery?.id ?? '')).toMatchObject([{ number: 1, status_code: 200 }]);
  expect(receiver.received).toHaveLength(1);
}

test.each([
  ['before', 'settle_deliveries'],
  ['after', 'settle_deliveries'],
  ['before', 'commit'],
  ['after', 'commit'],
] as const)(
  'an outcome whose recording is cut %s %s is recorded once, without another request',
  async (when, statement) => {
    if (when === 'before') worker.proxy.cutBefore(statement);
    else worker.proxy.cutAfter(statement);
    await tell();
    await expectToldOnce();
  },
);

test.each(['refused', 'frozen', 'cut'] as Away[])(
  'an outcome that comes while the database is %s is recorded when it is back',
  async (manner) => {
    receiver.answer = (response) => {
      worker.proxy.away(manner);
      response.end();
    };
    await tell();
    await eventually(
      async () => receiver.received.length,
      (requests) => requests === 1,
    );
    await worker.proxy.restore();
    await expectToldOnce();
  },
);

test('a claim that is cut before the database sees it is made again', async () => {
  worker.proxy.cutBefore('claim_deliveries');
  await tell();
  await expectToldOnce();
});

test('a claim whose answer is lost is made again when its lease has run out', async () => {
  worker.proxy.cutAfter('claim_deliveries');
  await tell();
  await eventually(
    () => leasedUntil(),
    (until) => until !== null,
  );
  expect(await deliveriesOf(web, endpoint.id)).toMatchObject([{ status: 'pending' }]);
  await passTime(web, { seconds: 30 });
  await expectToldOnce();
});

async function leasedUntil(): Promise<string | null> {
  const [row] = await web.db.query<{ leased_until: string | null }>({
    name: '',
    text: 'select leased_until from webhook_deliveries where endpoint_id = $1',
    values: [endpoint.id],
  });
  return row?.leased_until ?? null;
}
