import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { defaultPlans } from '../../src/accounts/plans.ts';
import { migrateQueue } from '../../src/jobs/job-queue.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import type { World } from '../../src/platform/world.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { attachEmbedded } from '../../src/postgres/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { recordEvent } from '../../src/webhooks/record-event.ts';
import { registerEndpoint } from '../../src/webhooks/register-endpoint.ts';
import { createAuthority, type HttpsAuthority } from '../../test/support/https-authority.ts';
import { endChildren, startChild } from '../child.ts';

/** Creates an account with one document and one endpoint. */
export interface Route {
  accountId: string;
  documentId: string;
  endpointId: string;
}

/** A database for the measurements, and the operations on it. */
export interface WebhookBench {
  world: World;
  db: Database;
  databaseUrl: string;
  /** The worker trusts its certificates. */
  authority: HttpsAuthority;
  startWorker(): Promise<void>;
  openRoute(url: string): Promise<Route>;
  /** Returns the endpoint's id. */
  addEndpoint(accountId: string, url: string): Promise<string>;
  /** Records one event in its own transaction, as sending a document does. */
  commitEvent(route: Route): Promise<void>;
  /** Waits until no delivery is pending, except those to endpoints with `hanging` in their URL. */
  untilDelivered(): Promise<void>;
  close(): Promise<void>;
}

/** A document as the API shows it: an event of usual size. */
export const sampleDocument = { object: 'document', title: 'Bench', description: 'x'.repeat(400) };

export async function openWebhookBench(): Promise<WebhookBench> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const log = createLog('error');
  const world: World = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const secretKey = systemRandom.bytes(32);
  const authority = createAuthority();
  const embedded = await attachEmbedded({ dataDir: join(directory, 'database'), log, purpose: 'command' });
  await migrate(embedded.url);
  await migrateQueue(embedded.url, log);
  const db = openDatabase({ url: embedded.url, connectionsMax: 8, log, timeoutMs: 600_000, applicationName: 'bench' });

  async function addEndpoint(accountId: string, url: string): Promise<string> {
    const endpoint = { accountId, url, events: ['document.sent'] } as const;
    const dependencies = { plans: defaultPlans, secretBox: createSecretBox(secretKey, systemRandom) };
    return (await db.transaction((tx) => registerEndpoint(world, tx, dependencies, endpoint, null))).id;
  }

  return {
    world,
    db,
    databaseUrl: embedded.url,
    authority,
    addEndpoint,

    async startWorker() {
      const caFile = join(directory, 'ca.pem');
      writeFileSync(caFile, authority.caPem);
      await startChild('bin/countersign', ['serve'], {
        DATABASE_URL: embedded.url,
        DATA_DIR: join(directory, 'data'),
        ROLE: 'worker',
        PORT: '0',
        SECRET_KEY: secretKey.toString('base64'),
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: caFile,
        LOG_LEVEL: 'error',
      });
    },

    async openRoute(url) {
      const { id: accountId } = await createAccount(world, db, { displayName: 'Bench', tier: 'enterprise' });
      const endpointId = await addEndpoint(accountId, url);
      const documentId = world.newId();
      await db.query({
        name: '',
        text: `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
                 recipient_count, created_at, updated_at, audit_seq, audit_hash)
               values ($1, $2, 'form', 'draft', 'Bench', 'en', 'parallel', 1, '2026-01-01', '2026-01-01', 1, sha256(''))`,
        values: [documentId, accountId],
      });
      return { accountId, documentId, endpointId };
    },

    async commitEvent({ accountId, documentId }) {
      const document = { ...sampleDocument, id: documentId };
      await db.transaction((tx) => recordEvent(world, tx, { accountId, documentId, type: 'document.sent', document }));
    },

    async untilDelivered() {
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
    },

    async close() {
      await endChildren();
      await db.close();
      await embedded.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
