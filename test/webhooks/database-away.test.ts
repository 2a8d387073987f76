import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, type FaultyService, startFaultyService } from '../faults/faulty-service.ts';
import type { Away } from '../support/fault-proxy.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  passTime,
  recordEvents,
  settledDeliveries,
} from '../support/webhooks.ts';

/** All its database connections go through the proxy. Those of the web process do not. */
let worker: FaultyService;
let web: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

beforeAll(async () => {
  worker = await startFaultyService({ ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true' }, true);
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

/** No e-mail is sent about it, so the worker's next commit is that of an outcome. */
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

test('an outcome that the database refuses holds up no other, and is recorded when it no longer does', async () => {
  const refused = await createEndpoint(worker, company.id, `${receiver.url}/refused`);
  receiver.answer = (response, { path }) => response.end(path.endsWith('refused') ? 'not to be written' : 'thanks');
  await execute(
    web,
    `create function refuse_body() returns trigger language plpgsql as $$
     begin raise exception 'refused'; end $$`,
  );
  await execute(
    web,
    `create trigger refuse before insert on webhook_attempts
     for each row when (new.response_body = 'not to be written') execute function refuse_body()`,
  );
  const document = await createDraft(web, company.key);
  const events = await recordEvents(web, company.id, document, 3);
  await settledDeliveries(web, endpoint.id, events.length);
  await recordEvents(web, company.id, document, 20);
  await settledDeliveries(web, endpoint.id, 23);
  expect((await deliveriesOf(web, refused.id)).map(({ status }) => status)).toEqual(Array(23).fill('pending'));

  await execute(web, 'drop trigger refuse on webhook_attempts');
  const recorded = await settledDeliveries(web, refused.id, 23);
  expect(recorded.map(({ status }) => status)).toEqual(Array(23).fill('delivered'));
});

test('outcomes that break a constraint delay no other, and are recorded without another request', async () => {
  const refused = await createEndpoint(worker, company.id, `${receiver.url}/refused`);
  await execute(web, `update webhook_endpoints set answers = 'promptly' where id = $1`, [refused.id]);
  receiver.answer = (response, { path }) => response.end(path.endsWith('refused') ? 'not to be written' : 'thanks');
  const refusedRequests = () => receiver.received.filter(({ path }) => path.endsWith('refused')).length;
  await execute(
    web,
    `alter table webhook_attempts add constraint refuse check (response_body <> 'not to be written') not valid`,
  );
  await recordEvents(web, company.id, await createDraft(web, company.key), 30);
  await eventually(
    async () => refusedRequests(),
    (requests) => requests === 30,
  );

  const other = await createCompany(web);
  const accepting = await createEndpoint(worker, other.id, receiver.url);
  await createSent(web, other.key, { recipients: [{ name: 'Ada', channel: 'in_person' }] });
  await eventually(
    () => deliveriesOf(web, accepting.id),
    (rows) => rows[0]?.status === 'delivered',
    8000,
  );
  expect((await deliveriesOf(web, refused.id)).map(({ status }) => status)).toEqual(Array(30).fill('pending'));

  await execute(web, 'alter table webhook_attempts drop constraint refuse');
  const recorded = await settledDeliveries(web, refused.id, 30);
  expect(recorded.map(({ status }) => status)).toEqual(Array(30).fill('delivered'));
  expect(refusedRequests()).toBe(30);
});

test('a claim that is cut before the database sees it is made again', async () => {
  worker.proxy.cutBefore('claim_deliveries_unknown');
  await tell();
  await expectToldOnce();
});

test('a claim whose answer is lost is made again when its lease has run out', async () => {
  // The worker also looks once a second: its claim is held until there is something to claim.
  const claim = worker.proxy.hold('claim_deliveries_unknown');
  await claim.reached;
  await tell();
  claim.releaseAndCut();
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
