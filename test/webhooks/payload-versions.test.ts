import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueEvents } from '../../src/webhooks/enqueue-events.ts';
import { choosePayload } from '../../src/webhooks/manage-endpoints.ts';
import type { PayloadVersion } from '../../src/webhooks/payload-versions.ts';
import { redeliver } from '../../src/webhooks/redeliver.ts';
import { redeliverFailed } from '../../src/webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, deliveriesOf, passTime, settledDeliveries } from '../support/webhooks.ts';

/** What endpoints of each payload version get. */
let app: TestService;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }), startReceiver()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const choose = (id: string, version: PayloadVersion) =>
  app.db.transaction((tx) => choosePayload(app.world, tx, id, version, null));

async function endpointAt(path: string, version: PayloadVersion): Promise<string> {
  const { id } = await createEndpoint(app, company.id, new URL(path, receiver.url).href, ['document.sent']);
  await choose(id, version);
  return id;
}

const receivedAt = (path: string) => receiver.received.filter((received) => received.path === path);

test('version 2 names the event and the document, and version 1 is as before', async () => {
  const [full, bare] = [await endpointAt('/full', 1), await endpointAt('/bare', 2)];
  const id = await createSent(app, company.key, { title: 'Kündigung', recipients: [ada] });
  await settledDeliveries(app, full, 1);
  await settledDeliveries(app, bare, 1);
  const [[first], [second]] = [receivedAt('/full'), receivedAt('/bare')];
  expect(first?.event.data.document).toMatchObject({ id, title: 'Kündigung' });
  expect(first?.event).not.toHaveProperty('payload_version');
  const { event, id: eventId, created_at } = first?.event ?? {};
  expect(second?.event).toEqual({ id: eventId, event, created_at, payload_version: 2, data: { document: { id } } });
  expect(second?.raw.toString()).not.toMatch(/Kündigung|Ada|example\.com/);
  expect(second?.headers['x-service-event']).toBe('document.sent');
});

test('a delivery keeps its version on every attempt, and a redelivery repeats its bytes', async () => {
  const endpoint = await endpointAt('/kept', 2);
  const answer = receiver.answer;
  receiver.answer = (response, { path }) => response.writeHead(path === '/kept' ? 500 : 200).end();
  await createSent(app, company.key, { recipients: [ada] });
  await eventually(
    async () => receivedAt('/kept').length,
    (count) => count === 1,
  );
  await choose(endpoint, 1);
  receiver.answer = answer;
  await passTime(app, { hours: 1 });
  await settledDeliveries(app, endpoint, 1);
  const [delivery] = await deliveriesOf(app, endpoint);
  await app.db.transaction((tx) => redeliver(app.world, tx, delivery?.id ?? '', null));
  await settledDeliveries(app, endpoint, 2);
  const bodies = receivedAt('/kept').map(({ raw }) => raw.toString());
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain('"payload_version":2');

  await createSent(app, company.key, { recipients: [ada] });
  await settledDeliveries(app, endpoint, 3);
  expect(receivedAt('/kept').at(-1)?.event.data.document).toHaveProperty('title');
});

test('what was given up is sent again in the version that it had', async () => {
  const endpoint = await endpointAt('/dead', 2);
  receiver.answer = (response, { path }) => response.writeHead(path === '/dead' ? 302 : 200).end();
  await createSent(app, company.key, { recipients: [ada] });
  await settledDeliveries(app, endpoint, 1);
  await choose(endpoint, 1);
  receiver.answer = (response) => response.end();
  const since = new Date(app.clock.now().getTime() - 86_400_000).toISOString();
  expect(await redeliverFailed(app.world, app.db, endpoint, since, null)).toBe(1);
  await settledDeliveries(app, endpoint, 2);
  const bodies = receivedAt('/dead').map(({ raw }) => raw.toString());
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});

test('a matching event that an endpoint never had is sent in its present version, and one that it had as it was', async () => {
  const endpoint = await endpointAt('/again', 2);
  const had = await eventOf(await createSent(app, company.key, { recipients: [ada] }));
  await settledDeliveries(app, endpoint, 1);
  const late = await endpointAt('/late', 2);
  await choose(endpoint, 1);
  const endpointIds = [endpoint, late];
  await app.db.transaction((tx) =>
    enqueueEvents(app.world, tx, {
      accountId: company.id,
      eventIds: [had],
      endpointIds,
      onlyMissed: false,
      unlessSince: null,
    }),
  );
  await settledDeliveries(app, endpoint, 2);
  await settledDeliveries(app, late, 1);
  const [one, two] = receivedAt('/again').map(({ raw }) => raw.toString());
  expect(two).toBe(one);
  expect(receivedAt('/late').map(({ raw }) => raw.toString())).toEqual([one]);
});

test('a test event has the version too', async () => {
  const endpoint = await endpointAt('/test', 2);
  await sendTestEvent(app.world, app.db, endpoint, 'document.completed', { id: app.world.newId(), title: 'Sample' });
  await settledDeliveries(app, endpoint, 1);
  expect(Object.keys(receivedAt('/test')[0]?.event.data.document)).toEqual(['id']);
});

async function eventOf(documentId: string): Promise<string> {
  const [event] = await app.db.query<{ id: string }>({
    name: '',
    text: `select id from events where document_id = $1 and type = 'document.sent'`,
    values: [documentId],
  });
  return event?.id ?? '';
}
