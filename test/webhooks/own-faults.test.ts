import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/platform/random.ts';
import { ensureSecretKey } from '../../src/platform/secret-key.ts';
import type { HostLookup } from '../../src/public-fetch/resolve-host.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { isSignedWith, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createCompany, createDraft, createSent, eventually, startTestService } from '../support/service.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  passTime,
  recordEvents,
  settledDeliveries,
} from '../support/webhooks.ts';

let receiver: Receiver;
let database: FreshDatabase;

beforeEach(async () => {
  receiver = await startReceiver();
  database = await freshDatabase();
});
afterEach(async () => {
  await receiver.stop();
  await database.drop();
});

const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };

test('while DNS is down here no attempt is used up and no endpoint blamed; afterwards everything is delivered', async () => {
  let isDown = true;
  const resolve = async (): Promise<HostLookup> =>
    isDown
      ? { kind: 'our_fault', reason: 'DNS does not answer (ETIMEOUT)' }
      : { kind: 'addresses', addresses: ['127.0.0.1'] };
  const app = await startTestService({
    databaseUrl: database.url,
    env: { ...env, WEBHOOK_RETRY_DELAYS: '60' },
    outside: { hostResolver: { resolve } },
  });
  onTestFinished(() => app.stop());
  const company = await createCompany(app);
  const endpoint = await createEndpoint(app, company.id, `http://hooks.example.com:${receiver.port}/hook`);
  await createSent(app, company.key);
  const due = app.clock.now().toISOString();

  for (let round = 0; round < 3; round++) {
    const in15s = new Date(app.clock.now().getTime() + 15_000).toISOString();
    const [delivery] = await eventually(
      () => deliveriesOf(app, endpoint.id),
      ([first]) => first?.leased_until === in15s,
    );
    expect(delivery).toMatchObject({ status: 'pending', failures: 0, next_attempt_at: due });
    expect(await attemptsOf(app, delivery?.id ?? '')).toEqual([]);
    await passTime(app, { seconds: 15 });
  }
  // It has been due all the time, and the metrics say so.
  expect(await (await fetch(new URL('/metrics', app.baseUrl))).text()).toContain('oldest_due_seconds 45\n');
  const [health] = await app.db.query({
    name: '',
    text: 'select failing_since, paused_at from webhook_endpoints where id = $1',
    values: [endpoint.id],
  });
  expect(health).toEqual({ failing_since: null, paused_at: null });

  isDown = false;
  await passTime(app, { seconds: 15 });
  const [delivered] = await settledDeliveries(app, endpoint.id);
  expect(delivered).toMatchObject({ status: 'delivered', failures: 0 });
  expect(await attemptsOf(app, delivered?.id ?? '')).toMatchObject([{ number: 1, status_code: 200 }]);
});

test('a secret that this SECRET_KEY does not open uses up no attempt and delays nobody; with its key it is delivered', async () => {
  const otherDir = mkdtempSync(join(tmpdir(), 'countersign-other-key-'));
  onTestFinished(() => rmSync(otherDir, { recursive: true }));
  const wrong = await startTestService({ databaseUrl: database.url, env });
  const company = await createCompany(wrong);
  const unreadable = await createEndpoint({ ...wrong, dataDir: otherDir }, company.id, `${receiver.url}/unreadable`);
  const fine = await createEndpoint(wrong, company.id, `${receiver.url}/fine`);
  const events = await recordEvents(wrong, company.id, await createDraft(wrong, company.key), 100);

  const at = (path: string) => receiver.received.filter((received) => received.path === `/hook/${path}`);
  await settledDeliveries(wrong, fine.id, events.length);
  expect(at('fine')).toHaveLength(events.length);
  const in15s = new Date(wrong.clock.now().getTime() + 15_000).toISOString();
  const postponed = await eventually(
    () => deliveriesOf(wrong, unreadable.id),
    (rows) => rows.every(({ leased_until }) => leased_until === in15s),
  );
  expect(postponed).toHaveLength(events.length);
  for (const { status, failures } of postponed)
    expect({ status, failures }).toEqual({ status: 'pending', failures: 0 });
  await wrong.stop();
  expect(at('unreadable')).toEqual([]);

  const secretKey = (await ensureSecretKey(null, otherDir, systemRandom)).toString('base64');
  wrong.clock.advance({ seconds: 15 });
  const right = await startTestService({
    databaseUrl: database.url,
    clock: wrong.clock,
    env: { ...env, SECRET_KEY: secretKey },
  });
  onTestFinished(() => right.stop());
  const delivered = await settledDeliveries(right, unreadable.id, events.length);
  for (const { id, status } of delivered) {
    expect(status).toBe('delivered');
    expect(await attemptsOf(right, id)).toMatchObject([{ number: 1, status_code: 200 }]);
  }
  expect(
    at('unreadable')
      .map(({ event }) => event.id)
      .sort(),
  ).toEqual(events);
  expect(at('unreadable').every((one: Received) => isSignedWith(unreadable.secret, one, right.clock.now()))).toBe(true);
});
