import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { rollSecret } from '../../src/webhooks/manage-endpoints.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { createEndpoint, failedDelivery, passTime, secretBoxOf } from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string; secret: string };

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
  endpoint = await createEndpoint(app, company.id, receiver.url);
});
afterEach(() => receiver.stop());

async function roll(): Promise<string> {
  const secretBox = await secretBoxOf(app);
  const rolled = await app.db.transaction((tx) => rollSecret(app.world, tx, secretBox, endpoint.id, null));
  return rolled?.secret ?? '';
}

async function nextReceived(): Promise<Received> {
  const before = receiver.received.length;
  await createSent(app, company.key);
  const received = await eventually(
    async () => receiver.received.slice(before),
    (all) => all.length > 0,
  );
  return received[0] as Received;
}

const signatures = ({ headers }: Received) => String(headers['x-service-signature']).match(/v1=[0-9a-f]{64}/g) ?? [];

/** Which of the secrets verify it. */
const verifying = (received: Received, secrets: string[]) =>
  secrets.filter((secret) => isSignedWith(secret, received, app.clock.now()));

test('for 24 hours after a roll both secrets verify, then the new one alone', async () => {
  const before = await nextReceived();
  expect(signatures(before)).toHaveLength(1);
  const old = endpoint.secret;
  const fresh = await roll();
  expect(fresh).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  expect(fresh).not.toBe(old);
  expect(verifying(before, [old, fresh])).toEqual([old]);

  const atOnce = await nextReceived();
  expect(signatures(atOnce)).toHaveLength(2);
  expect(verifying(atOnce, [old, fresh])).toEqual([old, fresh]);
  expect(isSignedWith(fresh, { ...atOnce, raw: Buffer.concat([atOnce.raw, Buffer.from(' ')]) }, app.clock.now())).toBe(
    false,
  );

  app.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
  expect(verifying(await nextReceived(), [old, fresh])).toEqual([old, fresh]);
  app.clock.advance({ seconds: 1 });
  const afterwards = await nextReceived();
  expect(signatures(afterwards)).toHaveLength(1);
  expect(verifying(afterwards, [old, fresh])).toEqual([fresh]);
});

test('rolling again ends the oldest at once', async () => {
  const first = endpoint.secret;
  const second = await roll();
  const third = await roll();
  const received = await nextReceived();
  expect(signatures(received)).toHaveLength(2);
  expect(verifying(received, [first, second, third])).toEqual([second, third]);
});

test('a retry is signed with the secrets of its own moment', async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  const first = await nextReceived();
  await failedDelivery(app, endpoint.id, 1);
  const fresh = await roll();
  await passTime(app, { minutes: 1 });
  await failedDelivery(app, endpoint.id, 2);
  const retry = receiver.received[1] as Received;
  expect(retry.raw).toEqual(first.raw);
  expect(verifying(retry, [endpoint.secret, fresh])).toEqual([endpoint.secret, fresh]);
});
