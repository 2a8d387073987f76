import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { defaultPlans } from '../src/accounts/plans.ts';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { claimDeliveries } from '../src/webhooks/claim-deliveries.ts';
import { recordEvent } from '../src/webhooks/record-event.ts';
import { registerEndpoint } from '../src/webhooks/register-endpoint.ts';
import { systemClock } from '../src/world/clock.ts';
import { createNewId } from '../src/world/ids.ts';
import { createLog } from '../src/world/log.ts';
import { systemRandom } from '../src/world/random.ts';
import { createSecretBox } from '../src/world/secret-box.ts';
import type { World } from '../src/world/world.ts';
import { createAuthority } from '../test/support/https-authority.ts';
import { endChildren, startChild } from './child.ts';
import { httpRequest, runLoad } from './load.ts';
import { pace, percentile } from './pace.ts';
import { type Receiver, startReceiver, startSilence } from './receivers.ts';

/**
 * The second half of `npm run bench`: webhooks from the commit of an event to the receiver, with the worker as operators
 * run it and a receiver in a process of its own; beside bare posts of the same bytes.
 */
const seconds = Number(process.env.BENCH_WEBHOOK_SECONDS ?? 10);
const backlogRows = Number(process.env.BENCH_BACKLOG ?? 1_000_000);

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const log = createLog('error');
const world: World = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
const secretKey = systemRandom.bytes(32);
/** What the API shows of a document: an event's usual size. */
const sample = { object: 'document', id: world.newId(), title: 'Bench', description: 'x'.repeat(400) };
const authority = createAuthority();
const caFile = join(directory, 'ca.pem');
writeFileSync(caFile, authority.caPem);
const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
await migrate(embedded.url);
await migrateQueue(embedded.url, log);
const db = openDatabase({ url: embedded.url, connectionsMax: 8, log, timeoutMs: 600_000, applicationName: 'bench' });

try {
  const worker = {
    DATABASE_URL: embedded.url,
    DATA_DIR: join(directory, 'data'),
    ROLE: 'worker',
    PORT: '0',
    SECRET_KEY: secretKey.toString('base64'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: caFile,
    LOG_LEVEL: 'error',
  };
  await startChild('bin/countersign', ['serve'], worker);
  await measureThroughput('http', 2000);
  await measureThroughput('https', 1500);
  await measureDelay(500);
  await measureFairness();
  await measureCrowd();
  await endChildren();
  await measureClaims();
} finally {
  await endChildren();
  await db.close();
  await embedded.release();
  rmSync(directory, { recursive: true, force: true });
}

interface Route {
  receiver: Receiver;
  accountId: string;
  documentId: string;
}

/** A company of its own with one document and one endpoint. */
async function openRoute(receiver: Receiver): Promise<Route> {
  const { id: accountId } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  await addEndpoint(accountId, receiver.url);
  const documentId = world.newId();
  await db.query({
    name: '',
    text: `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
             created_at, updated_at, audit_seq, audit_hash)
           values ($1, $2, 'form', 'draft', 'Bench', 'en', 'parallel', 1, '2026-01-01', '2026-01-01', 1, sha256(''))`,
    values: [documentId, accountId],
  });
  return { receiver, accountId, documentId };
}

async function addEndpoint(accountId: string, url: string): Promise<string> {
  const wish = { accountId, url, events: ['document.sent'] } as const;
  const means = { plans: defaultPlans, secretBox: createSecretBox(secretKey, systemRandom) };
  return (await db.transaction((tx) => registerEndpoint(world, tx, means, wish, null))).id;
}

/** One event in a transaction of its own, as sending a document writes it. */
function commitEvent({ accountId, documentId }: Route): Promise<void> {
  return db.transaction((tx) =>
    recordEvent(world, tx, { accountId, documentId, type: 'document.sent', document: sample }),
  );
}

/** Eight writers commit events as fast as they can while the worker delivers: what arrives in the time both take. */
async function measureThroughput(scheme: 'http' | 'https', aim: number): Promise<void> {
  const receiver = await startReceiver(authority, scheme);
  const route = await openRoute(receiver);
  await commitFor(5, route); // connections, plans, compiled code
  await untilDelivered();
  await receiver.takeCounts();

  const startedAt = performance.now();
  const committed = await commitFor(seconds, route);
  const committedS = (performance.now() - startedAt) / 1000;
  await untilDelivered();
  const deliveredS = (performance.now() - startedAt) / 1000;
  const { count } = await receiver.takeCounts();
  if (count < committed) throw new Error(`${committed} events were committed and ${count} requests came`);
  console.log(
    `webhooks ${scheme.padEnd(6)} ${Math.round(committed / committedS)}/s committed, ${Math.round(committed / deliveredS)}/s from commit to receipt (aim ≥ ${aim})`,
  );
  await measureDrain(route, scheme);
  await receiver.stop();
}

/** How many events eight writers committed in the time. */
async function commitFor(forSeconds: number, route: Route): Promise<number> {
  const endAt = performance.now() + forSeconds * 1000;
  let committed = 0;
  const write = async () => {
    while (performance.now() < endAt) {
      await commitEvent(route);
      committed += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return committed;
}

/** A backlog already committed: what the worker alone can do. */
async function measureDrain(route: Route, scheme: string): Promise<void> {
  const [{ id } = { id: '' }] = await db.query<{ id: string }>({
    name: '',
    text: 'select id from webhook_endpoints where account_id = $1',
    values: [route.accountId],
  });
  const rows = 20_000;
  await db.query({
    name: '',
    text: 'update webhook_endpoints set paused_at = now(), paused_by = $2 where id = $1',
    values: [id, 'operator'],
  });
  await seedBacklog(id, rows);
  const startedAt = performance.now();
  await db.query({
    name: '',
    text: `with resumed as (update webhook_endpoints set paused_at = null, paused_by = null where id = $1 returning id)
           select pg_notify('webhook_deliveries', '') from resumed`,
    values: [id],
  });
  await untilDelivered();
  const perSecond = rows / ((performance.now() - startedAt) / 1000);
  const beside =
    scheme === 'http' ? `, ${(perSecond / (await barePostsPerSecond(route))).toFixed(2)} of bare posts` : '';
  console.log(`webhooks ${scheme.padEnd(6)} ${Math.round(perSecond)}/s out of a backlog of ${rows}${beside}`);
}

/** The floor: the same bytes to the same receiver over as many kept connections, and nothing else. */
async function barePostsPerSecond({ receiver }: Route): Promise<number> {
  const request = httpRequest('POST', '/hook', { 'Content-Type': 'application/json' }, JSON.stringify(sample));
  const load = { port: receiver.port, connections: 32, durationMs: 2000, next: () => request };
  return (await runLoad(load)).requestsPerSecond;
}

async function untilDelivered(): Promise<void> {
  for (;;) {
    const rows = await db.query({
      name: 'any_pending',
      text: `select from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
             where d.status = 'pending' and e.url not like '%hanging%' limit 1`,
      values: [],
    });
    if (rows.length === 0) return;
    await sleep(100);
  }
}

/** Events at an even pace: how long after its recording each is received. */
async function measureDelay(perSecond: number): Promise<void> {
  const receiver = await startReceiver(authority, 'http');
  const route = await openRoute(receiver);
  await pace(perSecond, 1, () => commitEvent(route));
  await untilDelivered();
  await receiver.takeCounts();
  await pace(perSecond, seconds, () => commitEvent(route));
  await untilDelivered();
  const { delaysMs } = await receiver.takeCounts();
  console.log(
    `webhooks delay  at ${perSecond}/s: p50 ${percentile(delaysMs, 0.5)} ms, p95 ${percentile(delaysMs, 0.95)} ms (aim p95 < 250), p99 ${percentile(delaysMs, 0.99)} ms`,
  );
  await receiver.stop();
}

/** The p99 of one healthy endpoint alone, then beside nine that accept connections and never answer. */
async function measureFairness(): Promise<void> {
  const receiver = await startReceiver(authority, 'http');
  const silent = await startSilence();
  const route = await openRoute(receiver);
  const p99 = async () => {
    await receiver.takeCounts();
    await pace(100, seconds, () => commitEvent(route));
    await sleep(1000);
    return percentile((await receiver.takeCounts()).delaysMs, 0.99);
  };
  await pace(100, 1, () => commitEvent(route));
  await sleep(500);
  const alone = await p99();
  for (let i = 0; i < 9; i++) await addEndpoint(route.accountId, `${silent.url}/hanging/${i}`);
  const beside = await p99();
  console.log(
    `webhooks fair   a healthy endpoint's p99 beside nine that hang: ${(beside / alone).toFixed(2)} × (aim < 2): ${alone} → ${beside} ms`,
  );
  silent.close();
  await receiver.stop();
}

/** The delays of one healthy endpoint next to a thousand of other companies that hang: at first contact, and once known. */
async function measureCrowd(): Promise<void> {
  const receiver = await startReceiver(authority, 'http');
  const silent = await startSilence();
  const route = await openRoute(receiver);
  await pace(100, 1, () => commitEvent(route));
  await untilDelivered();
  await receiver.takeCounts();
  for (let company = 0; company < 100; company++) {
    const crowd = await openRoute({ ...receiver, url: `${silent.url}/hanging/${company}/0` });
    for (let i = 1; i < 10; i++) await addEndpoint(crowd.accountId, `${silent.url}/hanging/${company}/${i}`);
    for (let event = 0; event < 3; event++) await commitEvent(crowd);
  }
  for (const when of ['at first contact', 'known to hang']) {
    await pace(100, seconds, () => commitEvent(route));
    await sleep(1000);
    const { count, delaysMs } = await receiver.takeCounts();
    console.log(
      `webhooks crowd  a healthy endpoint next to 1000 that hang, ${when}: p50 ${percentile(delaysMs, 0.5)} ms, p95 ${percentile(delaysMs, 0.95)} ms (aim ≤ 250), ${count} of ${100 * seconds} received`,
    );
  }
  silent.close();
  await receiver.stop();
}

/** Claims of 100 while so many deliveries wait, most of them at one endpoint that may have no more. */
async function measureClaims(): Promise<void> {
  const { id: accountId } = await createAccount(world, db, { displayName: 'Backlog', tier: 'enterprise' });
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, i) => addEndpoint(accountId, `https://example.com/${i}`)),
  );
  await seedBacklog(endpoints[0] as string, backlogRows);
  for (const id of endpoints.slice(1)) await seedBacklog(id, 1000);
  await db.query({ name: '', text: 'vacuum analyze webhook_deliveries', values: [] });
  const claimer = openDatabase({ url: embedded.url, connectionsMax: 1, log });
  const timesMs: number[] = [];
  let after = '';
  for (let round = 0; round < 60; round++) {
    const startedAt = performance.now();
    const now = new Date();
    const claim = await claimDeliveries(claimer, {
      answers: 'unknown',
      now,
      leaseId: world.newId(),
      leasedUntil: new Date(now.getTime() + 30_000),
      limit: 100,
      perEndpoint: 32,
      perFailingEndpoint: 2,
      underWay: new Map(),
      after,
    });
    timesMs.push(performance.now() - startedAt);
    if (claim.deliveries.length === 0) throw new Error('a claim found nothing in the backlog');
    after = claim.endedAt;
  }
  await claimer.close();
  console.log(
    `webhooks claim  100 of ${backlogRows} waiting: p50 ${percentile(timesMs, 0.5)} ms, worst ${percentile(timesMs, 1)} ms (aim < 50)`,
  );
}

/** SQL for ids that ascend as UUIDv7 does: random ones would make every index page a page to write. */
function timeOrdered(milliseconds: string): string {
  return `(lpad(to_hex(${milliseconds}::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid`;
}

/** Events and the deliveries they owe, as many at once. */
async function seedBacklog(endpointId: string, count: number): Promise<void> {
  await db.query({
    name: '',
    text: `with given as (
             select ${timeOrdered('$4')} as event_id, ${timeOrdered('$4')} as delivery_id, account_id
             from webhook_endpoints, generate_series(1, $2::int) as n where id = $1
           ), event as (
             insert into events (id, account_id, type, body, created_at)
             select event_id, account_id, 'document.sent', $3, '2026-01-01' from given
           )
           insert into webhook_deliveries (id, account_id, endpoint_id, event_id, status, next_attempt_at, created_at)
           select delivery_id, account_id, $1, event_id, 'pending', '2026-01-01', '2026-01-01' from given`,
    values: [
      endpointId,
      count,
      JSON.stringify({ id: world.newId(), event: 'document.sent', data: { document: sample } }),
      Date.now(),
    ],
  });
}
