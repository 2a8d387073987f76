import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  failedDelivery,
  passTime,
  settledDeliveries,
} from '../support/webhooks.ts';

let app: TestService;
let proxy: ConnectProxy;
let receiver: Receiver;
let written = '';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  proxy = await startConnectProxy();
  const loopback: HostLookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
  app = await startTestService({
    env: {
      LOG_LEVEL: 'debug',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      OUTBOUND_PROXY_URL: `http://user:proxy-password@${proxy.host}`,
    },
    outside: { hostResolver: { resolve: async () => loopback } },
  });
});
afterAll(async () => {
  await app.stop();
  await proxy.close();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  proxy.refusal = null;
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

test('webhooks go through the proxy; while it refuses no attempt is used up, and the log says why', async () => {
  proxy.refusal = 407;
  const company = await createCompany(app);
  const endpoint = await createEndpoint(app, company.id, `http://hooks.example.com:${receiver.port}/hook`);
  await createSent(app, company.key);
  await eventually(
    async () => written,
    (text) => text.includes('webhooks cannot be sent from here') && text.includes('refused the connection (407)'),
  );
  const [pending] = await deliveriesOf(app, endpoint.id);
  expect(pending).toMatchObject({ status: 'pending', failures: 0 });
  expect(await attemptsOf(app, pending?.id ?? '')).toEqual([]);

  proxy.refusal = null;
  await passTime(app, { seconds: 15 });
  const [delivered] = await settledDeliveries(app, endpoint.id);
  expect(delivered).toMatchObject({ status: 'delivered', failures: 0 });
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([`127.0.0.1:${receiver.port}`]));
  expect(receiver.received).toHaveLength(1);
  expect(written).not.toContain('proxy-password');
  expect(written).not.toContain(Buffer.from('user:proxy-password').toString('base64'));
});

test('a dead target behind the proxy uses up its attempts, while another is delivered', async () => {
  const company = await createCompany(app);
  const dead = await createEndpoint(app, company.id, 'http://dead.example.com:1/hook');
  const alive = await createEndpoint(app, company.id, `http://hooks.example.com:${receiver.port}/hook`);
  await createSent(app, company.key);
  const failed = await failedDelivery(app, dead.id, 1);
  expect(await attemptsOf(app, failed.id)).toMatchObject([
    { number: 1, status_code: null, error: 'the outbound proxy could not connect (502)' },
  ]);
  expect(await settledDeliveries(app, alive.id)).toMatchObject([{ status: 'delivered', failures: 0 }]);
});

test('a target that the proxy forbids uses up its attempts, and they say why', async () => {
  proxy.refusal = 403;
  const company = await createCompany(app);
  const endpoint = await createEndpoint(app, company.id, 'http://forbidden.example.com:1/hook');
  await createSent(app, company.key);
  const failed = await failedDelivery(app, endpoint.id, 1);
  expect(await attemptsOf(app, failed.id)).toMatchObject([
    { number: 1, status_code: null, error: 'the outbound proxy does not allow this address (403)' },
  ]);
});
