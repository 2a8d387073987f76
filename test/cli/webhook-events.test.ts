import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { type Place, placeOn } from './countersign.ts';

interface Listed {
  id: string;
  event: string;
  status: string | null;
  document: { id: string; title: string } | null;
}

let app: TestService;
let company: Company;
let receiver: Receiver;
beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  company = await createCompany(app);
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

const operator = (): Place => placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });

test('the operator finds events, sees one with its deliveries, and redelivers what matches', async () => {
  const { id: endpoint } = await createEndpoint(app, company.id, receiver.url);
  const lease = await createSent(app, company.key, { title: 'Lease' });
  await createSent(app, company.key, { title: 'Roof repair' });
  await eventually(
    async () => receiver.received,
    ({ length }) => length === 2,
  );
  const at = operator();
  const events = (...options: string[]) => at.json<Listed[]>('webhook', 'events', '--account', company.id, ...options);
  const all = await eventually(
    () => events(),
    (listed) => listed.every(({ status }) => status === 'delivered'),
  );
  expect(all.map(({ event, document }) => [event, document?.title])).toEqual([
    ['document.sent', 'Roof repair'],
    ['document.sent', 'Lease'],
  ]);
  expect((await events('--search', 'lease')).map(({ document }) => document?.id)).toEqual([lease]);
  expect(await events('--status', 'dead')).toEqual([]);
  const shown = await at.json('webhook', 'event', all[1]?.id ?? '', '--account', company.id);
  expect(shown).toMatchObject({ id: all[1]?.id, deliveries: [{ endpoint: { id: endpoint }, status: 'delivered' }] });

  const redeliver = ['webhook', 'redeliver-events', '--account', company.id, '--search', lease];
  expect(await at.json(...redeliver, '--dry-run')).toEqual({ events: 1, deliveries: 1, redelivered: 0 });
  expect(await at.json(...redeliver, '--endpoint', endpoint)).toEqual({ events: 1, deliveries: 1, redelivered: 1 });
  // The command line reads the real clock, and the service the clock of the test.
  app.clock.advance({ days: 2000 });
  const [first, , again] = await eventually(
    async () => receiver.received,
    ({ length }) => length === 3,
  );
  expect(again?.raw).toEqual(first?.raw);
});

test('unknown companies, endpoints of others and malformed filters are refused', async () => {
  const at = operator();
  const stranger = await createCompany(app);
  const { id: foreign } = await createEndpoint(app, stranger.id, receiver.url);
  const redeliver = ['webhook', 'redeliver-events', '--account', company.id];
  expect(await at.fails(1, ...redeliver, '--endpoint', foreign)).toMatch(/no webhook endpoint/);
  expect(await at.fails(1, 'webhook', 'events', '--account', 'x')).toMatch(/no account/);
  expect(await at.fails(1, 'webhook', 'event', company.id, '--account', company.id)).toMatch(/no event/);
  expect(await at.fails(2, ...redeliver, '--from', 'yesterday')).toMatch(/--from must be/);
  expect(await at.fails(2, ...redeliver, '--status', 'lost')).toMatch(/--status must be one of/);
});
