import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type AttemptSeries, countShares } from '../../src/webhooks/attempt-counts.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
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
import { createEndpoint, failedDelivery, passTime, recordEvents, settledDeliveries } from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let admin: Visitor;
let receiver: Receiver;
let endpoint: string;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app, 'team');
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  endpoint = (await createEndpoint(app, company.id, receiver.url)).id;
});

interface History {
  day: AttemptSeries;
  month: AttemptSeries;
}

const history = async (): Promise<History> => (await admin.get(`/webhooks/${endpoint}/attempts`)).body;
const lastDay = async () => (await admin.get('/webhooks')).body.data[0].last_day;
const sums = ({ periods }: AttemptSeries) => ({
  delivered: periods.reduce((sum, { delivered }) => sum + delivered, 0),
  failed: periods.reduce((sum, { failed }) => sum + failed, 0),
});

test('attempts are counted by hour and day, with a median and a 95th percentile of their duration', async () => {
  const untouched = { delivered: 0, failed: 0, median_ms: null, p95_ms: null };
  expect(await history()).toMatchObject({
    day: { ...untouched, periods: Array(24).fill(untouched) },
    month: { ...untouched, periods: Array(30).fill(untouched) },
  });
  expect(await lastDay()).toEqual({ delivered: 0, failed: 0 });

  receiver.answer = (response) => response.writeHead(503).end();
  await createSent(app, company.key);
  await failedDelivery(app, endpoint, 1);
  receiver.answer = (response) => setTimeout(() => response.end(), 80);
  await passTime(app, { hours: 2 });
  await settledDeliveries(app, endpoint);

  const { day, month } = await history();
  expect(day.periods.map(({ at }) => at)).toEqual(day.periods.map(({ at }) => at).toSorted());
  const [failed, , delivered] = day.periods.slice(-3);
  expect(failed).toMatchObject({ delivered: 0, failed: 1, at: expect.stringMatching(/:00:00\.000Z$/) });
  expect(delivered).toMatchObject({ delivered: 1, failed: 0 });
  expect(delivered?.median_ms).toBeGreaterThanOrEqual(80 / 1.26);
  expect(delivered?.p95_ms).toBeGreaterThanOrEqual(delivered?.median_ms ?? 0);
  expect(day).toMatchObject({ delivered: 1, failed: 1, p95_ms: expect.any(Number) });
  expect([sums(day), sums(month)]).toEqual(Array(2).fill({ delivered: 1, failed: 1 }));
  expect(month.periods.at(-1)?.at).toBe(`${app.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`);
  expect(await lastDay()).toEqual({ delivered: 1, failed: 1 });

  app.clock.advance({ days: 1 });
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const later = await history();
  expect(later.day).toMatchObject(untouched);
  expect(sums(later.month)).toEqual({ delivered: 1, failed: 1 });
  expect(await lastDay()).toEqual({ delivered: 0, failed: 0 });
});

test('several workers that record outcomes of one endpoint at once count each attempt once', async () => {
  const more = await Promise.all(
    [1, 2].map(() =>
      startTestService({ databaseUrl: app.databaseUrl, env: { WEBHOOK_ALLOW_PRIVATE: 'true', DATA_DIR: app.dataDir } }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(more.map((service) => service.stop()))));
  const document = await createDraft(app, company.key);
  await recordEvents(app, company.id, document, 300);
  await settledDeliveries(app, endpoint, 300);
  const counted = await eventually(history, ({ day }) => day.delivered + day.failed >= 300);
  const attempts = await app.db.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = $1`,
    values: [endpoint],
  });
  expect(counted.month.delivered + counted.month.failed).toBe(attempts[0]?.n);
  const shares = await app.db.query<{ share: number }>({
    name: '',
    text: 'select distinct share from webhook_attempt_counts where endpoint_id = $1',
    values: [endpoint],
  });
  expect(shares.every(({ share }) => share < countShares)).toBe(true);
});

test('a test event counts, and an attempt that was not made does not', async () => {
  await admin.post(`/webhooks/${endpoint}/pause`, {});
  await admin.post(`/webhooks/${endpoint}/test`, { event: 'document.sent' });
  expect(await lastDay()).toEqual({ delivered: 0, failed: 0 });
  await admin.post(`/webhooks/${endpoint}/resume`, {});
  await settledDeliveries(app, endpoint);
  expect(await lastDay()).toEqual({ delivered: 1, failed: 0 });
});
