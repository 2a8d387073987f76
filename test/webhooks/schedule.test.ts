import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import {
  attemptsOf,
  createEndpoint,
  type DeliveryRow,
  deliveriesOf,
  failedDelivery,
  passTime,
  settledDeliveries,
} from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', ...env } });
}

beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end();
});
afterEach(() => receiver.stop());

const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString();

/**
 * Waits until the worker has looked for due deliveries at this moment. It has when it delivered an event to another
 * endpoint, because a claim takes everything that is due.
 */
async function lookedForWork(): Promise<void> {
  const probe = await startReceiver();
  const owner = await createCompany(app);
  const endpoint = await createEndpoint(app, owner.id, probe.url);
  for (let round = 1; round <= 2; round++) {
    await createSent(app, owner.key);
    await settledDeliveries(app, endpoint.id, round);
  }
  await probe.stop();
}

/** Waits for each failure and moves the clock to the next attempt, which is made on time and not a second earlier. */
async function failOnSchedule(endpointId: string, delaysSeconds: number[]): Promise<void> {
  for (const [i, delay] of delaysSeconds.entries()) {
    const delivery = await failedDelivery(app, endpointId, i + 1);
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: later(delay) });
    await passTime(app, { seconds: delay - 1 });
    await lookedForWork();
    expect(receiver.received).toHaveLength(i + 1);
    await passTime(app, { seconds: 1 });
  }
}

async function expectDead(endpointId: string, failures: number): Promise<DeliveryRow> {
  const [dead] = await settledDeliveries(app, endpointId);
  expect(dead).toMatchObject({ status: 'dead', failures, next_attempt_at: null });
  await passTime(app, { days: 30 });
  await lookedForWork();
  expect(receiver.received).toHaveLength(failures);
  return dead as DeliveryRow;
}

describe('as the documentation tells it', () => {
  beforeAll(() => start());
  afterAll(() => app.stop());

  test('attempts after 1 m, 5 m, 30 m, 2 h and 12 h, none a second earlier, and none after the sixth', async () => {
    const { id, secret } = await createEndpoint(app, company.id, receiver.url);
    const sentAt = app.clock.now();
    await createSent(app, company.key);
    await failOnSchedule(id, [60, 300, 1800, 7200, 43_200]);
    const due = [0, 60, 360, 2160, 9360, 52_560].map((seconds) => new Date(sentAt.getTime() + seconds * 1000));
    const dead = await expectDead(id, 6);

    const attempts = await attemptsOf(app, dead.id);
    expect(attempts.map(({ number, at, status_code }) => [number, at, status_code])).toEqual(
      due.map((at, i) => [i + 1, at.toISOString(), 500]),
    );

    // Each attempt has its own time and signature of the same bytes.
    expect(new Set(receiver.received.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
    const signatures = receiver.received.map(({ headers }) => String(headers['x-service-signature']));
    expect(new Set(signatures).size).toBe(6);
    for (const [i, at] of due.entries()) {
      expect(signatures[i]).toMatch(new RegExp(`^t=${at.getTime() / 1000},v1=[0-9a-f]{64}$`));
      expect(isSignedWith(secret, receiver.received[i] as (typeof receiver.received)[number], at)).toBe(true);
    }
  });

  test('an event that is acknowledged at the last attempt is delivered, with the time at which it was recorded', async () => {
    const { id } = await createEndpoint(app, company.id, receiver.url);
    const recordedAt = app.clock.now().toISOString();
    await createSent(app, company.key);
    await failOnSchedule(id, [60, 300, 1800, 7200]);
    const fifth = await failedDelivery(app, id, 5);
    receiver.answer = (response) => response.end();
    await passTime(app, { seconds: 43_200 });
    expect(await settledDeliveries(app, id)).toMatchObject([{ id: fifth.id, status: 'delivered', failures: 5 }]);
    expect((await attemptsOf(app, fifth.id)).map(({ status_code }) => status_code)).toEqual([
      500, 500, 500, 500, 500, 200,
    ]);
    expect(receiver.received.at(-1)?.event.created_at).toBe(recordedAt);
  });

  test('one event is retried at one endpoint while another has acknowledged it', async () => {
    const patient = await startReceiver();
    const failing = await createEndpoint(app, company.id, receiver.url);
    const fine = await createEndpoint(app, company.id, patient.url);
    await createSent(app, company.key);
    await failedDelivery(app, failing.id, 1);
    await settledDeliveries(app, fine.id);
    await passTime(app, { seconds: 60 });
    await failedDelivery(app, failing.id, 2);
    expect(patient.received).toHaveLength(1);
    expect(receiver.received.map(({ event }) => event.id)).toEqual(Array(2).fill(patient.received[0]?.event.id));
    await patient.stop();
  });
});

describe('as the operator sets it', () => {
  beforeAll(() => start({ WEBHOOK_RETRY_DELAYS: '7,3' }));
  afterAll(() => app.stop());

  test('two delays make three attempts', async () => {
    const { id } = await createEndpoint(app, company.id, receiver.url);
    await createSent(app, company.key);
    await failOnSchedule(id, [7, 3]);
    await expectDead(id, 3);
    expect(await deliveriesOf(app, id)).toHaveLength(1);
  });
});
