import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { defaultPlans } from '../src/accounts/plans.ts';
import { migrateQueue } from '../src/jobs/job-queue.ts';
import { issueKey } from '../src/keys/manage-keys.ts';
import { scopes } from '../src/keys/scopes.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { ensureSecretKey } from '../src/platform/secret-key.ts';
import type { World } from '../src/platform/world.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { attachEmbedded } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { mintSigningLink } from '../src/signing/signing-link.ts';
import { eventTypes } from '../src/webhooks/event-types.ts';
import { registerEndpoint } from '../src/webhooks/register-endpoint.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { startMailServer } from '../test/support/smtp.ts';
import { endChildren } from './child.ts';

/** The life of a document, from its creation to its signature, as a customer's program and a recipient's browser lead it. */

export interface Customer {
  /** Of the service, such as `http://127.0.0.1:3000`. */
  origin: string;
  accountId: string;
  key: string;
}

export interface Bench {
  world: World;
  db: Database;
  /** Holds `data`, the service's DATA_DIR, and `database`. */
  directory: string;
  dataDir: string;
  /** Takes the webhooks. */
  receiver: Receiver;
  /** Of the service. Nothing but the machine limits its load. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Makes a database, and servers that take the service's mail and webhooks. */
export async function openBench(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const dataDir = join(directory, 'data');
  const log = createLog('error');
  const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
  await migrate(embedded.url);
  await migrateQueue(embedded.url, log);
  const db = openDatabase({ url: embedded.url, connectionsMax: 4, log, timeoutMs: 600_000, applicationName: 'bench' });
  const [receiver, mail] = await Promise.all([startReceiver(), startMailServer(() => 0)]);
  const plans = join(directory, 'plans.json');
  writeFileSync(plans, JSON.stringify({ enterprise: unlimited }));
  return {
    world: { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log },
    db,
    directory,
    dataDir,
    receiver,
    settings: {
      DATABASE_URL: embedded.url,
      DATA_DIR: dataDir,
      PORT: '0',
      PLANS_FILE: plans,
      SMTP_URL: mail.url,
      IP_REQUESTS_PER_MINUTE: '1000000000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
    },
    async close() {
      await endChildren();
      await Promise.all([db.close(), receiver.stop(), mail.close()]);
      await embedded.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const unlimited = {
  burst_per_minute: 2_000_000_000,
  requests_per_day: 2_000_000_000,
  import_files_per_day: 1_000_000,
  import_bytes_per_month: 1e12,
};

/** Creates a company with a key, and a webhook endpoint for all events. */
export async function createCustomer({ world, db, dataDir, receiver }: Bench, origin: string): Promise<Customer> {
  const { id: accountId } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
  const options = { accountId, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, options, null));
  if (issued === null) throw new Error('no key');
  const secretBox = createSecretBox(await ensureSecretKey(null, dataDir, world.random), world.random);
  const endpoint = { accountId, url: receiver.url, events: eventTypes };
  await db.transaction((tx) => registerEndpoint(world, tx, { plans: defaultPlans, secretBox }, endpoint, null));
  return { origin, accountId, key: issued.key };
}

/** Sends one request and returns the answer. Throws unless that is 2xx. `name`: what the request does. */
export type Call = (name: string, url: string, init: RequestInit) => Promise<Response>;

export const plainCall: Call = async (name, url, init) => {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return response;
};

/** Creates a document, sends it and signs it as its recipient. Returns its id. */
export async function signDocument({ world, db }: Bench, customer: Customer, call: Call = plainCall): Promise<string> {
  const { origin, accountId, key } = customer;
  const post = (name: string, url: string, body?: object) =>
    call(name, url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': world.newId() },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const content = { message: 'Please sign by Friday.' };
  const draft = { title: 'Lease, 12 Elm Street', recipients, content };
  const created = await post('create', `${origin}/api/v1/documents`, draft);
  const { id } = (await created.json()) as { id: string };
  await (await post('send', `${origin}/api/v1/documents/${id}/send`)).text();
  const [recipient] = await db.query<{ id: string; holder: number }>({
    name: 'bench_recipient',
    text: 'select id, holder from recipients where account_id = $1 and document_id = $2',
    values: [accountId, id],
  });
  if (recipient === undefined) throw new Error('no recipient');
  const link = await mintSigningLink(world, db, origin, recipient);
  await (await call('open', link, {})).text();
  await (await post('viewed', `${link}/viewed`)).text();
  await (await post('sign', `${link}/sign`, { full_name: 'Ada Lovelace', signature: { kind: 'typed' } })).text();
  return id;
}

/** Whether everything that was signed is sealed, and everything that was said is delivered. */
export async function isIdle({ db }: Bench): Promise<boolean> {
  const rows = await db.query({
    name: 'bench_left',
    text: `select where exists (select from documents where sealed_at is null and completed_at is not null)
      or exists (select from webhook_deliveries where status <> 'delivered')
      or exists (select from messages where status = 'pending')`,
    values: [],
  });
  return rows.length === 0;
}
