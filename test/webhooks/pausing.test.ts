import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { createMember, listMembers } from '../../src/accounts/members.ts';
import type { MailSender } from '../../src/platform/mail.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { notifyOwner } from '../../src/webhooks/endpoint-notices.ts';
import { closeRemoved, findEndpoint, pauseEndpoint, resumeEndpoint } from '../../src/webhooks/manage-endpoints.ts';
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
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  failedDelivery,
  passTime,
  recordEvents,
  settledDeliveries,
} from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;
let endpoint: { id: string };

const halfDay = 43_200;

beforeAll(async () => {
  const delays = Array(20).fill(halfDay).join(',');
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: delays } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
  endpoint = await createEndpoint(app, company.id, receiver.url);
});
afterEach(async () => {
  await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null)); // it must not react to the next test's clock
  await receiver.stop();
});

const health = () => findEndpoint(app.db, endpoint.id);

/** Waits until the worker has looked for due deliveries twice, seen by deliveries to another endpoint. */
async function lookedForWork(): Promise<void> {
  const probe = await startReceiver();
  const owner = await createCompany(app);
  const { id } = await createEndpoint(app, owner.id, probe.url);
  for (let round = 1; round <= 2; round++) {
    await createSent(app, owner.key);
    await settledDeliveries(app, id, round);
  }
  await probe.stop();
}

describe('a paused endpoint', () => {
  test('is not called, and gets all that happened meanwhile when it goes on', async () => {
    await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null));
    for (let i = 0; i < 3; i++) await createSent(app, company.key);
    await passTime(app, { days: 3 });
    await lookedForWork();
    expect(receiver.received).toEqual([]);
    const waiting = await deliveriesOf(app, endpoint.id);
    expect(waiting.map(({ status, failures }) => [status, failures])).toEqual(Array(3).fill(['pending', 0]));

    await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
    await settledDeliveries(app, endpoint.id, 3);
    expect(receiver.received.map(({ event }) => event.id).sort()).toEqual(waiting.map(({ event_id }) => event_id));
  });

  test('gets no retry either, and the attempts made before count on', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    await createSent(app, company.key);
    await failures(1);
    await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null));
    await passTime(app, { days: 1 });
    await lookedForWork();
    expect(receiver.received).toHaveLength(1);

    receiver.answer = (response) => response.end();
    await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
    const [delivery] = await settledDeliveries(app, endpoint.id);
    expect(await attemptsOf(app, delivery?.id ?? '')).toMatchObject([
      { number: 1, status_code: 500 },
      { number: 2, status_code: 200 },
    ]);
  });

  test.each([
    ['whose delay goes on', { seconds: 5 }],
    ['whose delay passed meanwhile', { days: 1 }],
  ])('gets retries %s first, then what happened during the pause', async (_, pause) => {
    receiver.answer = (response) => response.writeHead(500).end();
    const draft = await createDraft(app, company.key);
    const early = await recordEvents(app, company.id, draft, 2);
    await failures(1);
    await app.db.transaction((tx) => pauseEndpoint(app.world, tx, endpoint.id, null));
    await passTime(app, { seconds: 10 });
    const all = await recordEvents(app, company.id, draft, 5);
    await passTime(app, pause);
    await app.db.query({
      name: '',
      text: 'update webhook_endpoints set rate_limit = 1 where id = $1',
      values: [endpoint.id],
    });
    receiver.answer = (response) => response.end();
    receiver.received.length = 0;
    await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
    // Each comes before the time passes that lets the next one go, so none can overtake another.
    for (let arrived = 1; arrived <= all.length; arrived++) {
      if (arrived > 1) await passTime(app, { seconds: 2 });
      await eventually(
        async () => receiver.received.length,
        (count) => count >= arrived,
      );
    }
    const order = receiver.received.map(({ event }) => event.id);
    expect(order.slice(0, 2).sort()).toEqual(early);
  });
});

/** Waits until each unfinished delivery has failed this many times. */
async function failures(count: number): Promise<void> {
  await eventually(
    () => deliveriesOf(app, endpoint.id),
    (rows) => rows.every((row) => row.status !== 'pending' || row.failures === count),
  );
}

function inWords(time: string): string {
  return `${new Date(time).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

/** Newest first. */
async function mailTo(address: string): Promise<string[]> {
  const messages = await listMailbox(join(app.dataDir, 'mailbox'), { to: address, limit: 10 });
  return messages.map(({ text }) => text);
}

test('the endpoints of a removed company end: what was pending is dead, and nothing more is sent', async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  await createSent(app, company.key);
  await failedDelivery(app, endpoint.id, 1);
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  await closeRemoved(app.world, app.db);
  expect(await deliveriesOf(app, endpoint.id)).toMatchObject([{ status: 'dead', next_attempt_at: null }]);
  const requests = receiver.received.length;
  await passTime(app, { hours: 13 });
  await lookedForWork();
  expect(receiver.received).toHaveLength(requests);
});

describe('an endpoint that fails for five days in a row', () => {
  beforeEach(() => {
    receiver.answer = (response) => response.writeHead(500).end();
  });

  test('is paused, and each owner is told once', async () => {
    const people = { 'ann@acme.example': 'owner', 'otto@acme.example': 'owner', 'adam@acme.example': 'admin' } as const;
    for (const [email, role] of Object.entries({ ...people, 'max@acme.example': 'member' } as const)) {
      await app.db.transaction((tx) => createMember(app.world, tx, { accountId: company.id, email, role }, null));
    }
    const stranger = await createCompany(app);
    await app.db.transaction((tx) =>
      createMember(app.world, tx, { accountId: stranger.id, email: 'olga@else.example', role: 'owner' }, null),
    );

    const began = app.clock.now().toISOString();
    for (let i = 0; i < 3; i++) await createSent(app, company.key);
    for (let halfDays = 1; halfDays <= 10; halfDays++) {
      await failures(halfDays);
      expect(await health()).toMatchObject({ paused_at: null, failing_since: began });
      await passTime(app, { seconds: halfDay });
    }
    await eventually(health, (one) => one?.paused_at !== null);
    expect(await health()).toMatchObject({ paused_by: 'failures', paused_at: app.clock.now().toISOString() });

    const notices = await eventually(
      () => Promise.all(['ann@acme.example', 'otto@acme.example'].map(mailTo)),
      (mail) => mail.every(({ length }) => length > 1),
    );
    for (const [paused = '', warning = '', ...more] of notices) {
      expect(more).toEqual([]);
      expect(warning).toContain(`since ${inWords(began)}. After 5 days without one, it is paused.`);
      // The retry delays of this test are not the default ones.
      expect(warning).toContain('Each event is tried a limited number of times.');
      expect(warning).not.toMatch(/six|hours/);
      expect(paused).toContain('so it was paused');
      expect(paused).toContain('Those that failed before are not: redeliver them too.');
      for (const text of [paused, warning]) {
        expect(text).toContain(`${new URL(app.baseUrl).origin}/settings/webhooks/${endpoint.id}`);
        expect(text).not.toContain('bin/countersign');
        expect(text).toContain(new URL(receiver.url).origin);
        expect(text).not.toContain('/hook');
      }
    }
    const jobs = await app.db.query<{ state: string }>({
      name: '',
      text: `select state from jobs.job where name = 'tell-owner' and data->>'endpointId' = $1`,
      values: [endpoint.id],
    });
    expect(jobs).toHaveLength(4);
    for (const address of ['adam@acme.example', 'max@acme.example', 'olga@else.example']) {
      expect(await mailTo(address)).toEqual([]);
    }

    // Nothing more is sent there, nothing is lost, and all of it is sent after the endpoint resumes.
    const attempted = receiver.received.length;
    await createSent(app, company.key);
    await passTime(app, { days: 1 });
    await lookedForWork();
    expect(receiver.received).toHaveLength(attempted);
    receiver.answer = (response) => response.end();
    await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
    const delivered = await settledDeliveries(app, endpoint.id, 4);
    expect(delivered.map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
    expect(await health()).toMatchObject({ paused_at: null, paused_by: null, failing_since: null });
  });

  test('is warned of again in the next streak, but not when it recovered before the e-mail', async () => {
    await app.db.transaction((tx) =>
      createMember(app.world, tx, { accountId: company.id, email: 'grace@acme.example', role: 'owner' }, null),
    );
    for (let streak = 1; streak <= 2; streak++) {
      receiver.answer = (response) => response.writeHead(500).end();
      await createSent(app, company.key);
      for (let halfDays = 1; halfDays <= 4; halfDays++) {
        await failures(halfDays);
        if (halfDays < 4) await passTime(app, { seconds: halfDay });
      }
      await eventually(
        () => mailTo('grace@acme.example'),
        ({ length }) => length === streak,
      );
      receiver.answer = (response) => response.end();
      await passTime(app, { seconds: halfDay });
      await settledDeliveries(app, endpoint.id, streak);
      expect(await health()).toMatchObject({ failing_since: null });
    }

    const [owner] = await listMembers(app.db, company.id);
    const memberId = owner?.id ?? '';
    const late = { name: 'tell-owner', messageId: app.world.newId(), endpointId: endpoint.id, memberId } as const;
    const mail = { send: () => Promise.reject(new Error('nobody is to be told')) } as unknown as MailSender;
    await notifyOwner(app.db, mail, app.baseUrl, { ...late, state: 'failing' });
    await notifyOwner(app.db, mail, app.baseUrl, late);
  });

  test('goes on when it accepted one delivery in between', async () => {
    await createSent(app, company.key);
    for (let halfDays = 1; halfDays <= 9; halfDays++) {
      await failures(halfDays);
      await passTime(app, { seconds: halfDay });
    }
    await failures(10);
    receiver.answer = (response) => response.end();
    await createSent(app, company.key);
    await eventually(
      () => deliveriesOf(app, endpoint.id),
      (rows) => rows[1]?.status === 'delivered',
    );
    expect(await health()).toMatchObject({ failing_since: null });

    receiver.answer = (response) => response.writeHead(500).end();
    for (let halfDays = 11; halfDays <= 15; halfDays++) {
      await passTime(app, { seconds: halfDay });
      await failures(halfDays);
    }
    expect(await health()).toMatchObject({ paused_at: null });
  });

  test('goes on when there was a day without an attempt in between, but its owners are told', async () => {
    await app.db.transaction((tx) =>
      createMember(app.world, tx, { accountId: company.id, email: 'hal@acme.example', role: 'owner' }, null),
    );
    const began = app.clock.now().toISOString();
    await createSent(app, company.key);
    for (let attempt = 1; attempt <= 6; attempt++) {
      await failures(attempt);
      await eventually(health, (one) => one?.failing_since === began);
      await passTime(app, { hours: 25 });
    }
    await failures(7);
    expect(await health()).toMatchObject({ paused_at: null });
    await eventually(
      () => mailTo('hal@acme.example'),
      ({ length }) => length === 1,
    );

    await passTime(app, { seconds: halfDay });
    await eventually(health, (one) => one?.paused_at !== null);
  });

  test('tells nobody who is no owner any more', async () => {
    const member = await app.db.transaction((tx) =>
      createMember(app.world, tx, { accountId: company.id, email: 'ida@acme.example', role: 'admin' }, null),
    );
    await createSent(app, company.key);
    await failures(1);
    const mail = { send: () => Promise.reject(new Error('nobody is to be told')) } as unknown as MailSender;
    const ids = { messageId: app.world.newId(), endpointId: endpoint.id, memberId: member?.id ?? '' };
    await notifyOwner(app.db, mail, app.baseUrl, { name: 'tell-owner', ...ids, state: 'failing' });
  });

  test('and is resumed without being mended has five days again', async () => {
    await createSent(app, company.key);
    for (let halfDays = 1; halfDays <= 10; halfDays++) {
      await failures(halfDays);
      await passTime(app, { seconds: halfDay });
    }
    await eventually(health, (one) => one?.paused_at !== null);
    await app.db.transaction((tx) => resumeEndpoint(app.world, tx, endpoint.id, null));
    await passTime(app, { seconds: halfDay });
    await failures(12);
    expect(await health()).toMatchObject({ paused_at: null, failing_since: app.clock.now().toISOString() });
  });
});
