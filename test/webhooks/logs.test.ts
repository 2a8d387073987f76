import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { rollSecret } from '../../src/webhooks/manage-endpoints.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';
import {
  createEndpoint,
  deliveriesOf,
  failedDelivery,
  passTime,
  secretBoxOf,
  settledDeliveries,
} from '../support/webhooks.ts';

let app: TestService;
let receiver: Receiver;
let lookup: HostLookup;
let written = '';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  lookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
  app = await startTestService({
    env: {
      LOG_LEVEL: 'debug',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_TIMEOUT_MS: '3000',
      WEBHOOK_RETRY_DELAYS: Array(12).fill(43_200).join(','),
    },
    outside: { hostResolver: { resolve: async () => lookup } },
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
  vi.restoreAllMocks();
});

test('the log tells of faults by ids, and of no secret, signature, path or query, at its most talkative', async () => {
  const company = await createCompany(app);
  const url = `http://hooks.example.com:${receiver.port}/path-token?query=query-token`;
  const otherDir = mkdtempSync(join(tmpdir(), 'countersign-other-key-'));
  onTestFinished(() => rmSync(otherDir, { recursive: true }));
  const endpoint = await createEndpoint(app, company.id, url);
  const secretBox = await secretBoxOf(app);
  const rolled = await app.db.transaction((tx) => rollSecret(app.world, tx, secretBox, endpoint.id, null));
  const unreadable = await createEndpoint({ ...app, dataDir: otherDir }, company.id, url);
  const dead = await createEndpoint(app, company.id, `${url}&redirects`);
  receiver.answer = (response, { path }) => {
    if (path.endsWith('redirects')) response.writeHead(301, { location: url }).end();
    else if (receiver.received.length > 4) response.writeHead(500).end('body-token');
  };

  lookup = { kind: 'our_fault', reason: 'DNS does not answer' };
  await createSent(app, company.key);
  await eventually(
    async () => written,
    (text) => text.includes('webhooks cannot be sent from here'),
  );
  lookup = { kind: 'addresses', addresses: ['127.0.0.1'] };
  await passTime(app, { seconds: 15 });
  await settledDeliveries(app, dead.id);
  for (let failures = 1; failures <= 11; failures++) {
    await failedDelivery(app, endpoint.id, failures);
    await passTime(app, { seconds: 43_200 });
  }
  await eventually(
    async () => written,
    (text) => text.includes('a webhook endpoint was paused'),
  );
  const [postponed] = await deliveriesOf(app, unreadable.id);

  expect(written).toContain(endpoint.id);
  expect(written).toContain(postponed?.id);
  const signatures = receiver.received.flatMap(
    ({ headers }) => String(headers['x-service-signature']).match(/[0-9a-f]{64}/g) ?? [],
  );
  expect(signatures.length).toBeGreaterThan(10);
  const secrets = [endpoint.secret, rolled?.secret ?? '', unreadable.secret, dead.secret];
  for (const secret of [...secrets, ...signatures, 'path-token', 'query-token', 'body-token', 'Roof repair']) {
    expect(written).not.toContain(secret.replace(/^whsec_/, ''));
  }
});
