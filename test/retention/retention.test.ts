import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockDocument } from '../../src/documents/queries.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { pauseEndpoint } from '../../src/webhooks/manage-endpoints.ts';
import { redeliver } from '../../src/webhooks/redeliver.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { createEndpoint, settledDeliveries } from '../support/webhooks.ts';

let app: TestService;
let receiver: Receiver;
let company: Company;

const env = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  REMINDER_DAYS: 'none',
  RETAIN_EVENTS_DAYS: '30',
  RETAIN_DELIVERIES_DAYS: '20',
  RETAIN_MESSAGES_DAYS: '30',
  RETAIN_MAILBOX_DAYS: '30',
  RETAIN_REQUEST_LOG_DAYS: '10',
  RETAIN_SESSIONS_DAYS: '2',
};

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestService({ env }), startReceiver()]);
  company = await createCompany(app);
});

afterAll(async () => {
  await Promise.all([app?.stop(), receiver?.stop()]);
});

/** Starts another process on the same data. Its scheduled jobs run at once. Returns its metrics after the removal. */
async function enforced(): Promise<string> {
  const later = await startTestService({
    env: { ...env, DATA_DIR: app.dataDir, LOG_LEVEL: 'warn' },
    databaseUrl: app.databaseUrl,
    clock: app.clock,
  });
  try {
    return await eventually(
      async () => (await fetch(`${new URL(later.baseUrl).origin}/metrics`)).text(),
      (text) => /countersign_sweeps_total\{sweep="enforce retention",outcome="done"\} 1/.test(text),
    );
  } finally {
    await later.stop();
  }
}

async function count(table: string, where = 'true'): Promise<number> {
  const rows = await app.db.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from ${table} where ${where}`,
    values: [],
  });
  return rows[0]?.n ?? -1;
}

const removedIn = (metrics: string, data: string) =>
  Number(new RegExp(`countersign_retention_removed_total\\{data="${data}"\\} (\\d+)`).exec(metrics)?.[1]);
const oldestIn = (metrics: string, data: string) =>
  Number(new RegExp(`countersign_retention_oldest_seconds\\{data="${data}"\\} (\\S+)`).exec(metrics)?.[1]);

test('old data goes, and what is still needed stays', async () => {
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  const paused = await createEndpoint(app, company.id, receiver.url, ['document.voided']);
  await app.db.transaction((tx) => pauseEndpoint(app.world, tx, paused.id, null));
  const signed = await createSent(app, company.key);
  await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox')),
    (messages) => messages.length === 1,
  );
  await signAs(app, 'ada@example.com', 'Ada Lovelace');
  await eventually(
    () => call(app, 'GET', `/documents/${signed}`, { key: company.key }),
    ({ body }) => body.status === 'completed',
  );
  const open = await createSent(app, company.key);
  const voided = await createSent(app, company.key);
  await eventually(
    () => count('messages', "status <> 'pending'"),
    (settled) => settled === 4,
  );
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, voided, 'all');
    if (document !== null) await voidDocument(app.world, tx, await app.queue(), document, 'operator', 'A mistake');
  });
  await settledDeliveries(app, endpoint.id, 7);
  await eventually(
    () => count('request_log'),
    (rows) => rows > 0,
  );
  const [events, deliveries] = [await count('events'), await count('webhook_deliveries')];
  expect([events, deliveries]).toEqual([7, 8]);

  const [completed] = await app.db.query<{ id: string }>({
    name: '',
    text: `select d.id from webhook_deliveries d join events e on e.id = d.event_id where e.type = 'document.completed'`,
    values: [],
  });

  // Nothing is old enough yet.
  app.clock.advance({ days: 9 });
  let metrics = await enforced();
  expect(['events', 'webhook_deliveries', 'request_log'].map((data) => removedIn(metrics, data))).toEqual([0, 0, 0]);
  expect(oldestIn(metrics, 'events')).toBeGreaterThanOrEqual(9 * 86_400);

  // Deliveries are old, except the one that waits for the paused endpoint. One was redelivered lately.
  app.clock.advance({ days: 10 });
  await app.db.transaction((tx) => redeliver(app.world, tx, completed?.id ?? '', null));
  await settledDeliveries(app, endpoint.id, 8);
  app.clock.advance({ days: 2 });
  metrics = await enforced();
  expect(removedIn(metrics, 'webhook_deliveries')).toBe(6);
  expect(await count('webhook_deliveries')).toBe(3);
  expect(await count('webhook_attempts')).toBe(2);
  expect(await count('events')).toBe(events);
  const lately = firstIdAt(new Date(app.clock.now().getTime() - 11 * 86_400_000));
  // The run may have met the start of the same process, which adds days to the log: the next one removes what it left.
  await eventually(
    async () => {
      const old = await count('request_log', `id < '${lately}'`);
      if (old > 0) await enforced();
      return old;
    },
    (old) => old === 0,
  );

  // Events are old, except the two that have deliveries.
  app.clock.advance({ days: 10 });
  metrics = await enforced();
  expect(removedIn(metrics, 'events')).toBe(5);
  expect(await count('events', `document_id = '${voided}' and type = 'document.voided'`)).toBe(1);
  expect(await count('messages', `document_id = '${open}'`)).toBe(1);
  expect(await count('messages', `document_id <> '${open}'`)).toBe(0);
  expect(await listMailbox(join(app.dataDir, 'mailbox'))).toEqual([]);
  expect(removedIn(metrics, 'mailbox')).toBeGreaterThanOrEqual(4);

  // The redelivery goes, and with the next run the delivery that it repeats, then their event.
  app.clock.advance({ days: 10 });
  await enforced();
  await enforced();
  await enforced();
  expect(await count('webhook_deliveries')).toBe(1);
  expect(await count('events')).toBe(1);
});

test('sessions and links are kept for the days after they expired, codes for a day at least', async () => {
  const ended = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);
  await app.db.query({
    name: '',
    text: `with person as (
             insert into people (id, email, canonical_email, created_at) values ($1, 'eve@example.com', 'eve@example.com', $2)
             returning id
           )
           insert into sign_in_links (token_hash, person_id, purpose, created_at, expires_at)
           select sha256(convert_to(days::text, 'UTF8')), id, 'email', $2::timestamptz, $3::timestamptz - days * interval '1 day'
           from person, unnest(array[1, 3]) as days`,
    values: [app.world.newId(), ended(9), app.clock.now()],
  });
  const metrics = await enforced();
  expect(removedIn(metrics, 'sign_in_links')).toBe(1);
  expect(oldestIn(metrics, 'sign_in_links')).toBeCloseTo(86_400, -2);
});

test('counts of attempts are kept for 31 days', async () => {
  const { id } = await createEndpoint(app, company.id, receiver.url);
  await app.db.query({
    name: '',
    text: `insert into webhook_attempt_counts (endpoint_id, hour, share, duration_class, delivered, failed)
           select $1, $2::timestamptz - days * interval '1 day', 0, 10, 1, 0 from unnest(array[30, 32]) as days`,
    values: [id, app.clock.now()],
  });
  expect(removedIn(await enforced(), 'webhook_attempt_counts')).toBe(1);
  expect(await count('webhook_attempt_counts', `endpoint_id = '${id}'`)).toBe(1);
});

test('codes, links and e-mails to members are kept for as long as messages', async () => {
  const id = await createSent(app, company.key);
  const insert = (daysAgo: number) =>
    app.db.query({
      name: '',
      text: `insert into direct_messages (id, account_id, document_id, kind, channel, status, created_at, settled_at)
             select $1, $2, $3, 'review_submitted', 'email', 'accepted', at, at
             from (select $4::timestamptz - $5 * interval '1 day' as at) sent`,
      values: [app.world.newId(), company.id, id, app.clock.now(), daysAgo],
    });
  await insert(0);
  expect(removedIn(await enforced(), 'direct_messages')).toBe(0);
  app.clock.advance({ days: 31 });
  await insert(0);
  expect(removedIn(await enforced(), 'direct_messages')).toBe(1);
  expect(await count('direct_messages', 'true')).toBe(1);
});

test('notices are kept for as long as messages, and longer while they wait for the mail server', async () => {
  const documents = [await createSent(app, company.key), await createSent(app, company.key)];
  const insert = async (id: string | undefined, status: string) => {
    const noticeId = app.world.newId();
    await app.db.query({
      name: '',
      text: `insert into notices (id, account_id, document_id, kind, channel, status, created_at, settled_at)
             values ($1, $2, $3, 'sender_declined', 'email', $4, $5, case when $4 <> 'pending' then $5::timestamptz end)`,
      values: [noticeId, company.id, id, status, app.clock.now()],
    });
    return noticeId;
  };
  await insert(documents[0], 'accepted');
  const waiting = await insert(documents[1], 'pending');
  const queue = await app.queue();
  await app.db.transaction(async (tx) => {
    await queue.enqueue(tx, [{ name: 'deliver-notice', accountId: company.id, noticeId: waiting }]);
    await tx.query({
      name: '',
      text: "update jobs.job set start_after = now() + interval '1 day' where id = $1",
      values: [waiting],
    });
  });
  app.clock.advance({ days: 29 });
  expect(removedIn(await enforced(), 'notices')).toBe(0);
  app.clock.advance({ days: 2 });
  expect(removedIn(await enforced(), 'notices')).toBe(1);
  expect(await count('notices', "status = 'pending'")).toBe(1);
});

test('more rows than one batch takes are removed in one run', async () => {
  await app.db.query({
    name: '',
    text: `insert into idempotency_records (account_id, endpoint, key, request_sha256, status, body, created_at)
           select $1, 'POST /documents', 'old ' || n, sha256(''), 201, '{}', $2 from generate_series(1, 2500) as n`,
    values: [company.id, new Date(app.clock.now().getTime() - 86_400_001)],
  });
  expect(removedIn(await enforced(), 'idempotency_records')).toBe(2500);
});
