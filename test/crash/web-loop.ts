import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { expectTimeout } from '../support/expect-timeout.ts';
import { type Ground, type ServerProcess, startServer } from '../support/process.ts';
import { type Answer, call, createCompany, eventually } from '../support/service.ts';
import { ask, count, randomBetween, recoveryMs } from './outcome.ts';

/** The answers that a client got for one document. */
interface Told {
  key: string;
  address: string;
  id: string;
  created: string;
  sent: string;
}

const clients = 4;

/** On a slow machine, the last ones happen after the clients have finished. */
const crashesMin = 3;

/** Minimum number of documents per client, also on a slow machine. */
const documentsMin = 2;

/**
 * For `ms`, clients create and send documents with Idempotency-Keys, and repeat each request until it is answered with a
 * 2xx, while the service is killed and started again. At the end, nothing may be missing or duplicated.
 */
export async function crashWhileClientsWrite(
  ground: Ground,
  { ms, role }: { ms: number; role: 'web' | 'all' },
): Promise<void> {
  const company = await createCompany(ground);
  const settings = { ...ground.settings, PLANS_FILE: plansWithoutLimit(ground), ROLE: role };
  const server = await startServer(settings);
  const current: Current = { baseUrl: server.baseUrl, server, failures: [] };
  const end = performance.now() + ms;

  const crashing = crashUntil(end, settings, current);
  const told = (
    await Promise.all(Array.from({ length: clients }, (_, client) => writeUntil(end, current, company.key, client)))
  ).flat();
  const crashes = await crashing;
  expect(crashes).toBeGreaterThanOrEqual(crashesMin);

  await expectEachOnce(ground, company.id, told);
  await expectReplays(current, company.key, told);
  for (const { server, text } of current.failures) expectTimeout(server, text);
  if (role === 'web') await startServer({ ...settings, ROLE: 'worker' });
  await expectDelivered(ground, told);
}

function plansWithoutLimit(ground: Ground): string {
  const file = join(ground.dataDir, 'plans.json');
  const plan = { burst_per_minute: 1_000_000, requests_per_day: 1_000_000 };
  writeFileSync(file, JSON.stringify({ enterprise: plan }));
  return file;
}

interface Current {
  baseUrl: string;
  server: ServerProcess;
  /** Answers with a 5xx, and who gave them. */
  failures: { server: ServerProcess; text: string }[];
}

/** `current` always names the running process. The last one keeps running. */
async function crashUntil(end: number, settings: Ground['settings'], current: Current): Promise<number> {
  let crashes = 0;
  while (performance.now() < end || crashes < crashesMin) {
    await sleep(randomBetween(50, 700));
    current.server.kill('SIGKILL');
    await current.server.ended;
    crashes += 1;
    const server = await startServer(settings);
    Object.assign(current, { server, baseUrl: server.baseUrl });
  }
  return crashes;
}

async function writeUntil(end: number, current: Current, apiKey: string, client: number): Promise<Told[]> {
  const told: Told[] = [];
  while (performance.now() < end || told.length < documentsMin) {
    const key = `client-${client}-${told.length}`;
    const address = `${key}@example.com`;
    const body = { title: key, recipients: [{ name: 'Ada Lovelace', email: address }] };
    const created = await untilDone(current, () => create(current, apiKey, key, body));
    const { id } = created.body;
    const sent = await untilDone(current, () => send(current, apiKey, key, id));
    told.push({ key, address, id, created: created.text, sent: sent.text });
  }
  return told;
}

const create = (current: Current, apiKey: string, key: string, body: object) =>
  call(current, 'POST', '/documents', { key: apiKey, body, headers: { 'idempotency-key': key } });

const send = (current: Current, apiKey: string, key: string, id: string) =>
  call(current, 'POST', `/documents/${id}/send`, { key: apiKey, headers: { 'idempotency-key': key } });

/** Repeats the identical request until it is answered, also after a 5xx, as spec.md tells clients. */
async function untilDone(current: Current, request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const { server } = current;
    const answer = await request().catch(() => null); // no server, or killed before the answer
    if (answer !== null && answer.status < 300) return answer;
    if (answer !== null && answer.status >= 500) current.failures.push({ server, text: answer.text });
    else if (answer !== null) expect(answer.body.error.code).toBe('idempotency_in_progress');
    await sleep(10);
  }
}

async function expectEachOnce(ground: Ground, accountId: string, told: Told[]): Promise<void> {
  const documents = await ask<{ id: string; title: string; status: string; events: number }>(
    ground,
    `select d.id, d.title, d.status, count(e.*) as events
     from documents d left join events e on e.document_id = d.id and e.type = 'document.sent'
     where d.account_id = $1 group by d.id order by d.title`,
    [accountId],
  );
  const expected = told.map(({ key, id }) => ({ id, title: key, status: 'sent', events: 1 }));
  expect(documents).toEqual(expected.sort((a, b) => (a.title < b.title ? -1 : 1)));
  expect(await count(ground, 'idempotency_records where account_id = $1', [accountId])).toBe(2 * told.length);
  expect(await count(ground, 'messages where account_id = $1', [accountId])).toBe(told.length);
}

async function expectReplays(current: Current, apiKey: string, told: Told[]): Promise<void> {
  for (const { key, address, id, created, sent } of told) {
    const body = { title: key, recipients: [{ name: 'Ada Lovelace', email: address }] };
    expect((await untilDone(current, () => create(current, apiKey, key, body))).text).toBe(created);
    expect((await untilDone(current, () => send(current, apiKey, key, id))).text).toBe(sent);
  }
}

async function expectDelivered(ground: Ground, told: Told[]): Promise<void> {
  await eventually(
    () => count(ground, `messages where status <> 'accepted'`),
    (owed) => owed === 0,
    recoveryMs,
  );
  const delivered = (await listMailbox(join(ground.dataDir, 'mailbox'))).map(({ to }) => to);
  expect(new Set(delivered)).toEqual(new Set(told.map(({ address }) => address)));
}
