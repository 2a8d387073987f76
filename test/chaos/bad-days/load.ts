import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { mintSigningLink } from '../../../src/signing/signing-link.ts';
import { ask } from '../../crash/outcome.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { endServers, type Ground, type ServerProcess, type Settings, startServer } from '../../support/process.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type Company, call, createCompany, eventually } from '../../support/service.ts';
import { startMailServer } from '../../support/smtp.ts';
import { createEndpoint } from '../../support/webhooks.ts';

/** The service and everything it depends on, while clients create, send and sign documents. */
export interface Scene {
  ground: Ground;
  /** Between the service and its database. */
  proxy: FaultProxy;
  receiver: Receiver;
  web: ServerProcess;
  /** Two processes, so that one can take over from the other. */
  workers: ServerProcess[];
  mailOut(): Promise<void>;
  mailBack(): Promise<void>;
}

export interface Prepared {
  settings: Settings;
  /** A command that starts the service (`launchServer`). */
  start?: readonly string[];
  /** What the receiver of webhooks is called. */
  receiverHost?: string;
  end(): Promise<void>;
}

/** Causes a fault that lasts for `ms`, and ends it. */
export interface BadDay {
  name: string;
  /** What this machine has to have, or to allow. */
  needs?: string;
  /** Prepares what the service needs to meet the fault. Returns its additional settings, or null where `needs` is not met. */
  prepare?(ground: Ground): Promise<Prepared | null>;
  happen(scene: Scene, ms: number): Promise<void>;
}

const clients = 2;
/** Each kind of work must be met by the fault, on a slow machine too. */
const documentsMin = 3;
/** Failed jobs wait up to twice as long as the fault lasted, and the lease of a stalled worker has to end. */
const drainMs = (ms: number) => 2 * ms + 120_000;

/**
 * Lets clients work while faults happen one after the other, each for `ms`. They repeat each request until it is answered with
 * a 2xx. Afterwards every document is completed and sealed once, with its events delivered and its mails accepted. Faults that
 * this machine does not allow are left out. Returns the number of documents, or null when none of the faults can be caused.
 */
export async function survive(ground: Ground, days: readonly BadDay[], ms: number): Promise<number | null> {
  const prepared = await prepareAll(ground, days);
  if (prepared.days.length === 0) return null;
  const proxy = await startFaultProxy(ground.databaseUrl);
  const receiver = await startReceiver();
  let mail = await startMailServer(() => 0);
  const accepted = [mail.accepted];
  const port = Number(new URL(mail.url).port);
  try {
    const settings = {
      ...ground.settings,
      DATABASE_URL: proxy.through(ground.databaseUrl),
      PLANS_FILE: plansWithoutLimit(ground),
      SMTP_URL: mail.url,
      MAIL_FROM: 'Acme <sign@acme.example>',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_TIMEOUT_MS: '1000',
      WEBHOOK_RETRY_DELAYS: Array(100).fill(2).join(','),
      LOG_LEVEL: 'silent',
      ...prepared.settings,
    };
    const web = await startServer({ ...settings, ROLE: 'web' }, prepared.start);
    const workers = await Promise.all([1, 2].map(() => startServer({ ...settings, ROLE: 'worker' }, prepared.start)));
    const company = await createCompany(ground);
    await createEndpoint(ground, company.id, `http://${prepared.receiverHost}:${receiver.port}/hook`);
    const scene: Scene = {
      ...{ ground, proxy, receiver, web, workers },
      mailOut: () => mail.close(),
      async mailBack() {
        mail = await startMailServer(() => 0, port);
        accepted.push(mail.accepted);
      },
    };

    let goesOn = true;
    const working = Promise.all(
      Array.from({ length: clients }, (_, client) => workWhile(() => goesOn, ground, web.baseUrl, company, client)),
    );
    working.catch(() => {}); // awaited below
    for (const day of prepared.days) await day.happen(scene, ms);
    goesOn = false;
    const told = (await working).flat();

    await expectNothingLost(scene, company.id, told, drainMs(ms));
    expect(new Set(accepted.flat().map(({ to }) => to))).toEqual(new Set(told.map(({ address }) => address)));
    return told.length;
  } finally {
    await endServers();
    await Promise.all([proxy.close(), receiver.stop(), mail.close()]);
    await prepared.end();
  }
}

async function prepareAll(ground: Ground, days: readonly BadDay[]) {
  const ready: { day: BadDay; prepared: Prepared }[] = [];
  for (const day of days) {
    const prepared = day.prepare === undefined ? { settings: {}, end: async () => {} } : await day.prepare(ground);
    if (prepared === null) console.log(`SKIPPED: ${day.name}: it needs ${day.needs}`);
    else ready.push({ day, prepared });
  }
  const all = ready.map(({ prepared }) => prepared);
  return {
    days: ready.map(({ day }) => day),
    settings: Object.assign({}, ...all.map(({ settings }) => settings)) as Settings,
    start: all.flatMap(({ start }) => start ?? []),
    receiverHost: all.find(({ receiverHost }) => receiverHost !== undefined)?.receiverHost ?? '127.0.0.1',
    async end() {
      for (const { end } of all) await end();
    },
  };
}

function plansWithoutLimit(ground: Ground): string {
  const file = join(ground.dataDir, 'plans.json');
  writeFileSync(file, JSON.stringify({ enterprise: { burst_per_minute: 1_000_000, requests_per_day: 1_000_000 } }));
  return file;
}

interface Told {
  id: string;
  address: string;
}

/** Creates, sends and signs one document after the other. */
async function workWhile(
  goesOn: () => boolean,
  ground: Ground,
  baseUrl: string,
  company: Company,
  client: number,
): Promise<Told[]> {
  const told: Told[] = [];
  while (goesOn() || told.length < documentsMin) {
    const address = `client-${client}-${told.length}@example.com`;
    const headers = { 'idempotency-key': address };
    const body = { title: address, recipients: [{ name: 'Ada Lovelace', email: address }] };
    const at = { baseUrl };
    const { id } = await untilDone(() => call(at, 'POST', '/documents', { key: company.key, body, headers }));
    await untilDone(() => call(at, 'POST', `/documents/${id}/send`, { key: company.key, headers }));
    const link = await linkOf(ground, company.id, id as string, baseUrl);
    const signature = { full_name: 'Ada Lovelace', signature: { kind: 'typed' } };
    await untilDone(() => call({ baseUrl: link }, 'POST', '/sign', { body: signature }), 'document_completed');
    told.push({ id: id as string, address });
  }
  return told;
}

/** A link like the one in the mail, which may not have arrived yet. */
async function linkOf(ground: Ground, accountId: string, documentId: string, baseUrl: string): Promise<string> {
  const [recipient] = await ask<{ id: string; holder: number }>(
    ground,
    'select id, holder from recipients where account_id = $1 and document_id = $2',
    [accountId, documentId],
  );
  if (recipient === undefined) throw new Error(`document ${documentId} has no recipient`);
  return mintSigningLink(ground.world, ground.db, new URL(baseUrl).origin, recipient);
}

/** Errors that a client may get on a bad day. All are documented, and say that a repetition is safe. */
const expected = new Set([
  ...['document_create_failed', 'document_send_failed', 'idempotency_store_failed', 'idempotency_in_progress'],
  ...['account_unavailable', 'key_lookup_failed', 'tenant_resolution_failed', 'temporarily_unavailable', 'server_busy'],
]);

/** Repeats the identical request until it succeeds, or until the answer says that an earlier one did (`doneCode`). */
async function untilDone(request: () => ReturnType<typeof call>, doneCode?: string): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await request().catch(() => null); // cut off
    if (answer !== null && answer.status < 300) return answer.body;
    const code = answer?.body?.error.code;
    if (code !== undefined && code === doneCode) return {};
    if (answer !== null) expect(expected, `${answer.status} ${answer.text}`).toContain(code);
    await sleep(50);
  }
}

async function expectNothingLost({ ground, receiver }: Scene, accountId: string, told: Told[], withinMs: number) {
  for (const open of [
    'documents where sealed_at is null',
    "webhook_deliveries where status <> 'delivered'",
    "messages where status = 'pending'",
  ]) {
    await eventually(
      () => ask(ground, `select * from ${open} limit 3`),
      (left) => left.length === 0,
      withinMs,
    );
  }
  const documents = await ask<{ id: string }>(
    ground,
    `select d.id, d.title, d.status,
       (select count(*) from audit_entries a where a.document_id = d.id and action = 'sealed') as seals,
       (select array_agg(type order by type) from events e where e.document_id = d.id) as events
     from documents d where account_id = $1 order by id`,
    [accountId],
  );
  const events = ['document.completed', 'document.sent', 'document.signed', 'document.viewed'];
  const whole = told.map(({ id, address }) => ({ id, title: address, status: 'completed', seals: 1, events }));
  expect(documents).toEqual(whole.sort((a, b) => (a.id < b.id ? -1 : 1)));

  const bodies = await ask<{ id: string; body: string }>(ground, 'select id, body from events order by id');
  const received = new Map(receiver.received.map(({ event, raw }) => [event.id as string, raw.toString()]));
  expect([...received].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(bodies.map(({ id, body }) => [id, body]));
}
