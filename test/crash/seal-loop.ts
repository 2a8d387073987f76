import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { type Ground, processesAt, startServer } from '../support/process.ts';
import { createCompany, createSent, eventually } from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { ask, count, crashAtWork, recoveryMs } from './outcome.ts';

/** Kills the worker `crashes` times while it seals. Every document is sealed once, and nobody gets two copies. */
export async function crashWhileSealing(
  ground: Ground,
  { crashes, documents }: { crashes: number; documents: number },
) {
  const ids = await completeDocuments(ground, documents);
  for (let i = 0; i < crashes; i++) {
    // Sealing one takes about 30 ms of one core, so most are left for the next worker.
    const pid = await crashAtWork(ground, ground.settings, { queue: 'seal-document', afterMsMax: 100 });
    // Its child processes notice and end.
    await eventually(
      async () => processesAt(`main.ts\0${pid}\0`),
      (orphans) => orphans.length === 0,
    );
  }

  expect(await count(ground, 'documents where sealed_at is null')).toBeGreaterThan(0);
  await startServer({ ...ground.settings, ROLE: 'worker' });
  await eventually(
    () => count(ground, 'documents where sealed_at is null'),
    (unsealed) => unsealed === 0,
    recoveryMs,
  );
  await expectSealedOnce(ground, ids);
}

/** Completes documents at a service without a worker, so that their seals are pending. */
async function completeDocuments(ground: Ground, documents: number): Promise<string[]> {
  const company = await createCompany(ground);
  const all = await startServer(ground.settings);
  const ids: string[] = [];
  const addresses = Array.from({ length: documents }, (_, i) => `signer-${i}@example.com`);
  for (const email of addresses) {
    ids.push(await createSent(all, company.key, { recipients: [{ name: 'Ada Lovelace', email }] }));
  }
  const mailbox = join(ground.dataDir, 'mailbox');
  await eventually(
    () => listMailbox(mailbox),
    (mail) => mail.length === documents,
    recoveryMs,
  );
  all.kill('SIGTERM');
  await all.ended;

  const web = await startServer({ ...ground.settings, ROLE: 'web' });
  for (const address of addresses) await signAs({ ...web, dataDir: ground.dataDir }, address, 'Ada Lovelace');
  web.kill('SIGTERM');
  await web.ended;
  return ids;
}

async function expectSealedOnce(ground: Ground, ids: string[]): Promise<void> {
  const sealed = await ask<{ id: string; status: string; sealed_file: string; seals: number; copies: number }>(
    ground,
    `select id, status, sealed_file,
       (select count(*) from audit_entries a where a.document_id = d.id and action = 'sealed') as seals,
       (select count(*) from messages m where m.document_id = d.id and kind = 'completed_copy') as copies
     from documents d order by id`,
  );
  expect(sealed.map(({ id, status, seals, copies }) => ({ id, status, seals, copies }))).toEqual(
    [...ids].sort().map((id) => ({ id, status: 'completed', seals: 1, copies: 1 })),
  );
  const stored = await storedFiles(join(ground.dataDir, 'files'));
  expect(stored).toEqual(expect.arrayContaining(sealed.map(({ sealed_file: file }) => file)));
  // What a killed worker stored is named too, so that it is removed.
  const named = await ask<{ file: string }>(
    ground,
    `select sealed_file as file from documents union
     select 'sha256/' || left(encode(sha256, 'hex'), 2) || '/' || substr(encode(sha256, 'hex'), 3) from stored_files`,
  );
  expect(named.map(({ file }) => file)).toEqual(expect.arrayContaining(stored));
}

async function storedFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files
    .map((path) => relative(directory, path))
    .filter((path) => /^sha256\/[0-9a-f]{2}\/[0-9a-f]{62}$/.test(path));
}
