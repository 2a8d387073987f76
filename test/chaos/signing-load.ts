import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { DatabaseFailure } from '../../src/postgres/database.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { ask } from '../crash/outcome.ts';
import type { Ground, Settings } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';
import { type Answer, type Company, call, eventually } from '../support/service.ts';

/** Each kind of work must be met by a fault, on a slow machine too. */
const documentsMin = 3;

/** Settings of a service under load: no limits, quick retries, and webhooks to this machine. */
export function loadSettings(ground: Pick<Ground, 'dataDir'>, mailUrl: string): Settings {
  return {
    PLANS_FILE: plansWithoutLimit(ground),
    SMTP_URL: mailUrl,
    MAIL_FROM: 'Acme <sign@acme.example>',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_RETRY_DELAYS: Array(100).fill(2).join(','),
    LOG_LEVEL: 'silent',
  };
}

function plansWithoutLimit(ground: Pick<Ground, 'dataDir'>): string {
  const file = join(ground.dataDir, 'plans.json');
  writeFileSync(file, JSON.stringify({ enterprise: { burst_per_minute: 1_000_000, requests_per_day: 1_000_000 } }));
  return file;
}

/** A document that the service said is completed. */
export interface Told {
  id: string;
  address: string;
}

export interface SigningLoad {
  /** Continues as long as this is true. */
  goesOn: () => boolean;
  ground: Pick<Ground, 'db' | 'world'>;
  baseUrl: string;
  company: Company;
  /** Number of the client. */
  client: number;
  /** Pause after each document. */
  restMs?: number;
  /** Called for each write that was answered with a 2xx. */
  onWritten?: () => void;
}

/**
 * Creates, sends and signs one document after the other, and reads each again. Repeats each request until it is answered with a
 * 2xx. Each document goes to an address of its own.
 */
export async function signWhile({ goesOn, ground, baseUrl, company, client, ...load }: SigningLoad): Promise<Told[]> {
  const { restMs = 0, onWritten = () => {} } = load;
  const told: Told[] = [];
  const { key } = company;
  const write = async (request: () => ReturnType<typeof call>, doneCode?: string) => {
    const answer = await untilDone(request, doneCode);
    onWritten();
    return answer;
  };
  while (goesOn() || told.length < documentsMin) {
    const address = `client-${client}-${told.length}@example.com`;
    const headers = { 'idempotency-key': address };
    const body = { title: address, recipients: [{ name: 'Ada Lovelace', email: address }] };
    const at = { baseUrl };
    const { id } = await write(() => call(at, 'POST', '/documents', { key, body, headers }));
    await write(() => call(at, 'POST', `/documents/${id}/send`, { key, headers }));
    const link = await untilAnswered(() => linkOf(ground, company.id, id as string, baseUrl));
    const signature = { full_name: 'Ada Lovelace', signature: { kind: 'typed' } };
    await write(() => call({ baseUrl: link }, 'POST', '/sign', { body: signature }), 'document_completed');
    const { status } = await untilDone(() => call(at, 'GET', `/documents/${id}`, { key }));
    expect(status).toBe('completed');
    told.push({ id: id as string, address });
    await sleep(restMs);
  }
  return told;
}

/** Repeats what the test asks the database for, which may be away. */
async function untilAnswered<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DatabaseFailure)) throw error;
      await sleep(50);
    }
  }
}

/** A link like the one in the mail, which may not have arrived yet. */
async function linkOf(
  ground: Pick<Ground, 'db' | 'world'>,
  accountId: string,
  documentId: string,
  baseUrl: string,
): Promise<string> {
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
  'document_unavailable',
]);

/** Repeats the identical request until it succeeds, or until the answer says that an earlier one did (`doneCode`). */
async function untilDone(request: () => ReturnType<typeof call>, doneCode?: string): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await request().catch(() => null); // cut off
    if (answer !== null && answer.status < 300) return answer.body;
    const code = answer?.body?.error.code;
    if (code !== undefined && code === doneCode) return {};
    if (answer !== null) expectDocumented(answer, code);
    await sleep(50);
  }
}

function expectDocumented({ status, headers, text, body }: Answer, code: string): void {
  const said = `${status} ${text}`;
  if (status >= 500) expect(Number(headers.get('retry-after')), said).toBeGreaterThan(0);
  // A reverse proxy that reaches no process answers for itself.
  if (status !== 503 || body !== null) expect(expected, said).toContain(code);
}

/**
 * Waits until no work is left, and expects that each document is completed and sealed once, and that each of its events was
 * delivered.
 */
export async function expectNothingLost(
  ground: Pick<Ground, 'db'>,
  receiver: Receiver,
  accountId: string,
  told: Told[],
  withinMs: number,
): Promise<void> {
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
