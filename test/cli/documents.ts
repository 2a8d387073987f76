import { onTestFinished } from 'vitest';
import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import type { CreateDocumentBody } from '../../src/documents/create-document-body.ts';
import { sendDocument } from '../../src/documents/send-document.ts';
import { migrateQueue, startQueue } from '../../src/jobs/job-queue.ts';
import { issueKey } from '../../src/keys/manage-keys.ts';
import { scopes } from '../../src/keys/scopes.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { type Place, place } from './countersign.ts';

/** A company and its documents, made as the API makes them. */
export interface Papers extends Place {
  accountId: string;
  db: Database;
  draft(body?: Partial<CreateDocumentBody>): Promise<string>;
  /** Sends a document with a live key. Its requests to two recipients are pending. */
  sent(body?: Partial<CreateDocumentBody>): Promise<string>;
  sql<Row>(text: string, ...values: unknown[]): Promise<Row[]>;
}

const twoSigners = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
];

export async function papers(settings: Record<string, string> = {}): Promise<Papers> {
  const at = await place(settings);
  const url = at.databaseUrl as string;
  const log = createLog('error');
  await migrateQueue(url, log); // into which sending puts its jobs
  const world = { clock: systemClock, random: systemRandom, newId: createNewId(systemClock, systemRandom), log };
  const db = openDatabase({ url, connectionsMax: 2, timeoutMs: 60_000, log, applicationName: 'test' });
  onTestFinished(() => db.close());

  const account = await createAccount(world, db, { displayName: 'Acme', tier: 'pro' });
  const key = { accountId: account.id, mode: 'live', scopes, name: null, expiresAt: null, legacy: false } as const;
  const issued = await db.transaction((tx) => issueKey(world, tx, key, null));
  const creator = { accountId: account.id, actor: `api_key:${issued?.id}`, mode: 'live' } as const;
  const draft = async (body: Partial<CreateDocumentBody> = {}) =>
    (await createDocument(world, db, creator, { title: 'Lease', recipients: twoSigners, ...body })).id;

  return {
    ...at,
    accountId: account.id,
    db,
    draft,
    async sent(body) {
      const id = await draft(body);
      const sender = {
        accountId: account.id,
        actor: creator.actor,
        sees: 'visible',
        mode: 'live',
      } as const;
      const queue = await startQueue(url, log, false);
      try {
        await db.transaction((tx) => sendDocument(world, tx, queue, sender, id));
      } finally {
        await queue.stop();
      }
      return id;
    },
    sql: (text, ...values) => db.query({ name: '', text, values }),
  };
}
