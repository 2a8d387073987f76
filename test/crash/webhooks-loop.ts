import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { OwnGround } from '../support/own-server.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
import { isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Answer, type Company, call, createCompany, eventually } from '../support/service.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { ask, count, randomBetween } from './outcome.ts';

export interface CrashesSurvived {
  events: number;
  deliveries: number;
  /** Requests that the receivers got. More than the deliveries means repetitions. */
  requests: number;
  attempts: number;
}

interface Target {
  id: string;
  secret: string;
  accountId: string;
  path: string;
}

/** A lease lasts the time-out plus twenty seconds. */
const settings = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_TIMEOUT_MS: '1000',
  WEBHOOK_RETRY_DELAYS: Array(60).fill(1).join(','),
};
const drainMs = 120_000;
const clients = 2;

/**
 * Kills the worker `crashes` times and the database `databaseCrashes` times, at random moments, while clients send
 * documents and endpoints accept, fail, hang and hang up. At the end, each receiver must have got all events of its
 * endpoint, and no others.
 */
export async function crashWhileWebhooksLeave(
  ground: OwnGround,
  { crashes, databaseCrashes }: { crashes: number; databaseCrashes: number },
): Promise<CrashesSurvived> {
  const receiver = await startReceiver();
  receiver.answer = (response, { path }) => {
    const chance = path.endsWith('/unsteady') ? Math.random() : 1;
    if (chance < 0.1) response.writeHead(503).end();
    else if (chance < 0.15) response.destroy();
    else if (chance > 0.17) setTimeout(() => response.end(), path.endsWith('/slow') ? randomBetween(0, 200) : 0);
  };
  const common = { ...ground.settings, ...settings, PLANS_FILE: plansWithoutLimit(ground) };
  const web = await startServer({ ...common, ROLE: 'web' });
  const companies = [await createCompany(ground), await createCompany(ground)];
  const targets = await createTargets(ground, receiver, companies);

  let isWriting = true;
  const writing = Promise.all(
    Array.from({ length: clients }, (_, i) => writeWhile(() => isWriting, web, companies[i % 2] as Company, i)),
  );
  const databaseCrashAt = new Set(
    Array.from({ length: databaseCrashes }, (_, i) => Math.floor(((i + 0.5) * crashes) / databaseCrashes)),
  );
  for (let i = 0; i < crashes; i++) {
    const worker = await startServer({ ...common, ROLE: 'worker' });
    const crash = databaseCrashAt.has(i) ? sleep(randomBetween(0, 500)).then(() => ground.crashDatabase()) : null;
    const [ended] = await Promise.all([killSoon(worker), crash]);
    expect(ended.signal, `the worker ended by itself: ${worker.stderr()}`).toBe('SIGKILL');
  }
  isWriting = false;
  const sent = (await writing).flat();
  expect(await count(ground, `webhook_deliveries where status = 'pending'`)).toBeGreaterThan(0);

  await startServer({ ...common, ROLE: 'worker' });
  await eventually(
    () => count(ground, `webhook_deliveries where status = 'pending'`),
    (pending) => Number(pending) === 0,
    drainMs,
  );
  const survived = await expectNothingLost(ground, receiver, targets, sent);
  await receiver.stop();
  return survived;
}

/** Kills the worker soon. It may end by itself before that. */
async function killSoon(worker: ServerProcess): ServerProcess['ended'] {
  const endedByItself = await Promise.race([worker.ended, sleep(randomBetween(0, 700))]);
  if (endedByItself === undefined) worker.kill('SIGKILL');
  return worker.ended;
}

function plansWithoutLimit(ground: OwnGround): string {
  const file = join(ground.dataDir, 'plans.json');
  writeFileSync(file, JSON.stringify({ enterprise: { burst_per_minute: 1_000_000, requests_per_day: 1_000_000 } }));
  return file;
}

/** Creates three endpoints for the first company and one for the second. */
async function createTargets(ground: OwnGround, receiver: Receiver, companies: Company[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [owner, name] of [
    [0, 'quick'],
    [0, 'slow'],
    [0, 'unsteady'],
    [1, 'other'],
  ] as const) {
    const accountId = (companies[owner] as Company).id;
    const { id, secret } = await createEndpoint(ground, accountId, `${receiver.url}/${name}`);
    targets.push({ id, secret, accountId, path: `/hook/${name}` });
  }
  return targets;
}

/** Sends documents one after the other, and repeats each request until it succeeds, as spec.md tells clients. Returns their ids. */
async function writeWhile(
  goesOn: () => boolean,
  web: { baseUrl: string },
  company: Company,
  client: number,
): Promise<string[]> {
  const sent: string[] = [];
  while (goesOn()) {
    const headers = { 'idempotency-key': `client-${client}-${sent.length}` };
    const body = { title: 'Roof repair', recipients: [{ name: 'Ada', channel: 'in_person' }] };
    const created = await untilDone(() => call(web, 'POST', '/documents', { key: company.key, body, headers }));
    await untilDone(() => call(web, 'POST', `/documents/${created.body.id}/send`, { key: company.key, headers }));
    sent.push(created.body.id);
    await sleep(randomBetween(0, 150));
  }
  return sent;
}

async function untilDone(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status < 300) return answer;
    // The database is away, or still holds the interrupted transaction.
    if (answer.status !== 409) expect(answer.status, answer.text).toBe(500);
    await sleep(20);
  }
}

interface EventRow {
  id: string;
  account_id: string;
  document_id: string;
  body: string;
}

interface DeliveryRow {
  event_id: string;
  endpoint_id: string;
  status: string;
  failures: number;
  numbers: number[];
  last_status: number;
}

async function expectNothingLost(
  ground: OwnGround,
  receiver: Receiver,
  targets: Target[],
  sent: string[],
): Promise<CrashesSurvived> {
  const events = await ask<EventRow>(ground, 'select id, account_id, document_id, body from events order by id');
  expect(events.map(({ document_id }) => document_id).sort()).toEqual([...sent].sort());

  // Each event has one delivery to each endpoint of its account, and no others.
  const deliveries = await ask<DeliveryRow>(
    ground,
    `select d.event_id, d.endpoint_id, d.status, d.failures, array_agg(a.number order by a.number) as numbers,
       (array_agg(a.status_code order by a.number desc))[1] as last_status
     from webhook_deliveries d left join webhook_attempts a on a.delivery_id = d.id
     group by d.id order by d.event_id, d.endpoint_id`,
  );
  const owed = events.flatMap(({ id, account_id }) =>
    targets.filter(({ accountId }) => accountId === account_id).map((target) => `${id} ${target.id}`),
  );
  expect(deliveries.map(({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`)).toEqual(owed.sort());
  for (const { status, failures, numbers, last_status } of deliveries) {
    expect({ status, last_status }).toEqual({ status: 'delivered', last_status: 200 });
    expect(numbers).toEqual(Array.from({ length: failures + 1 }, (_, i) => i + 1));
  }

  // Each endpoint got all events of its account and no others, byte for byte as recorded.
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  for (const { path, accountId, secret } of targets) {
    const ledger = receiver.received.filter((received) => received.path === path);
    const happened = events.filter(({ account_id }) => account_id === accountId).map(({ id }) => id);
    expect([...new Set(ledger.map(({ event }) => event.id))].sort()).toEqual(happened);
    for (const received of ledger) {
      expect(received.raw.toString()).toBe(bodies.get(received.event.id));
      const signedAt = Number(/^t=(\d+)/.exec(String(received.headers['x-service-signature']))?.[1]);
      expect(isSignedWith(secret, received, new Date(signedAt * 1000))).toBe(true);
    }
  }
  return {
    events: events.length,
    deliveries: deliveries.length,
    requests: receiver.received.length,
    attempts: deliveries.reduce((sum, { numbers }) => sum + numbers.length, 0),
  };
}
