import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { verifySignatureSample } from '../../src/docs/verify-signature-sample.ts';
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
import { createEndpoint, deliveriesOf, failedDelivery, passTime, secretBoxOf } from '../support/webhooks.ts';

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
  // The clock may move on only when its outcome is recorded, or its lease would end.
  await eventually(
    () => deliveriesOf(app, endpoint.id),
    (rows) => rows.every(({ leased_until }) => leased_until === null),
  );
  return received[0] as Received;
}

const signatures = ({ headers }: Received) => String(headers['x-service-signature']).match(/v1=[0-9a-f]{64}/g) ?? [];

/** Verifies like a receiver that runs the sample of the reference. */
async function isAcceptedBySample(secret: string, { headers, raw }: Received): Promise<boolean> {
  const source = `data:text/javascript,${encodeURIComponent(verifySignatureSample)}`;
  const { isFromCountersign } = await import(source);
  return isFromCountersign(String(headers['x-service-signature']), raw, secret, app.clock.now().getTime() / 1000);
}

/** Returns the secrets that verify it. */
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

test('after two rolls within 24 hours all three secrets verify, each replaced one for 24 hours', async () => {
  const first = endpoint.secret;
  const second = await roll();
  app.clock.advance({ hours: 6 });
  const third = await roll();
  const all = [first, second, third];
  const received = await nextReceived();
  expect(signatures(received)).toHaveLength(3);
  expect(verifying(received, all)).toEqual(all);
  for (const secret of all) expect(await isAcceptedBySample(secret, received)).toBe(true);

  await expect(roll()).rejects.toThrow(/^3 secrets are valid already\. You can roll again when the oldest ends/);
  expect(verifying(await nextReceived(), all)).toEqual(all);

  app.clock.advance({ hours: 18 });
  expect(verifying(await nextReceived(), all)).toEqual([second, third]);
  const fourth = await roll();
  const later = await nextReceived();
  expect(signatures(later)).toHaveLength(3);
  expect(verifying(later, [...all, fourth])).toEqual([second, third, fourth]);

  app.clock.advance({ hours: 24 });
  expect(verifying(await nextReceived(), [...all, fourth])).toEqual([fourth]);
  await roll();
  expect(signatures(await nextReceived())).toHaveLength(2);
});

test('of five rolls at once two succeed', async () => {
  const rolls = await Promise.allSettled(Array.from({ length: 5 }, roll));
  const fresh = rolls.flatMap((rolled) => (rolled.status === 'fulfilled' ? [rolled.value] : []));
  expect(fresh).toHaveLength(2);
  const all = [endpoint.secret, ...fresh];
  expect(verifying(await nextReceived(), all)).toEqual(all);
});

test('after the loss of SECRET_KEY a rolled secret signs alone at once', async () => {
  const lostDir = mkdtempSync(join(tmpdir(), 'countersign-lost-key-'));
  onTestFinished(() => rmSync(lostDir, { recursive: true }));
  endpoint = await createEndpoint({ ...app, dataDir: lostDir }, company.id, `${receiver.url}/lost`);
  const fresh = await roll();
  await createSent(app, company.key);
  const received = await eventually(
    async () => receiver.received.find(({ path }) => path.endsWith('/lost')),
    (one) => one !== undefined,
  );
  expect(signatures(received as Received)).toHaveLength(1);
  expect(verifying(received as Received, [endpoint.secret, fresh])).toEqual([fresh]);
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
