import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { createAuthority } from '../support/https-authority.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { attemptsOf, createEndpoint, failedDelivery, settledDeliveries } from '../support/webhooks.ts';

const trusted = createAuthority();
const authorities = getCACertificates('default');
let app: TestService;

beforeAll(async () => {
  setDefaultCACertificates([...authorities, trusted.caPem]);
  const loopback: HostLookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
  app = await startTestService({
    env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    outside: { hostResolver: { resolve: async () => loopback } },
  });
});
afterAll(async () => {
  await app.stop();
  setDefaultCACertificates(authorities);
});

async function httpsReceiver(tls: { key: string; cert: string }): Promise<Receiver> {
  const receiver = await startReceiver(tls);
  onTestFinished(() => receiver.stop());
  return receiver;
}

test('a receiver with a certificate of an authority that is trusted gets its webhooks', async () => {
  const company = await createCompany(app);
  const receiver = await httpsReceiver(trusted.issue(['hooks.example.com']));
  const { id, secret } = await createEndpoint(app, company.id, `https://hooks.example.com:${receiver.port}/hook?a=b`);
  for (let events = 1; events <= 2; events++) {
    await createSent(app, company.key);
    await settledDeliveries(app, id, events);
  }
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?a=b', '/hook?a=b']);
  expect(receiver.received[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
  expect(isSignedWith(secret, receiver.received[0] as Received, app.clock.now())).toBe(true);
});

test.each([
  ['of an authority that nobody knows', () => createAuthority('Another authority').issue(['hooks.example.com'])],
  ['for another name', () => trusted.issue(['other.example.com'])],
])('a certificate %s is a failure that is told and tried again', async (_, issue) => {
  const company = await createCompany(app);
  const receiver = await httpsReceiver(issue());
  const { id } = await createEndpoint(app, company.id, `https://hooks.example.com:${receiver.port}/hook`);
  await createSent(app, company.key);
  const delivery = await failedDelivery(app, id, 1);
  expect(delivery.status).toBe('pending');
  expect(await attemptsOf(app, delivery.id)).toMatchObject([
    { number: 1, status_code: null, error: expect.stringContaining('certificate') },
  ]);
  expect(receiver.received).toEqual([]);
});

test('a receiver that speaks no TLS is a failure that is told and tried again', async () => {
  const company = await createCompany(app);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { id } = await createEndpoint(app, company.id, `https://hooks.example.com:${receiver.port}/hook`);
  await createSent(app, company.key);
  const delivery = await failedDelivery(app, id, 1);
  expect(await attemptsOf(app, delivery.id)).toMatchObject([
    { number: 1, status_code: null, error: expect.stringContaining('TLS') },
  ]);
});
