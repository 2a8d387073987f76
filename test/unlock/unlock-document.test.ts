import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { readPlanTable } from '../../src/accounts/plans.ts';
import { updateUnlockedItems } from '../../src/imports/unlock-items.ts';
import { createUnlocker, type Unlocker } from '../../src/unlock/convert/create-unlocker.ts';
import { requestUnlock, requeueUnlocks } from '../../src/unlock/jobs/enqueue-unlock.ts';
import { unlockDocument } from '../../src/unlock/jobs/unlock-document.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { attachPdf, filesOf } from '../support/attach.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';

/** The job that unlocks a document, called as a worker does, while other things happen to the document. */
let app: TestService;
let company: Company;
let unlocker: Unlocker;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
  await app.db.transaction((tx) => addCredits(app.world, tx, company.id, 100));
  unlocker = createUnlocker({ log: app.world.log });
});
afterAll(async () => {
  await unlocker.close();
  await app.stop();
});

const unlock = (documentId: string) => {
  const { world, db: database } = app;
  const plans = readPlanTable(null);
  const given = { world, database, plans, files: filesOf(app), unlocker, onOutcome: updateUnlockedItems };
  return unlockDocument(given, company.id, documentId);
};

/** A document with a PDF of one page, whose unlocking was asked for. */
async function pending(): Promise<string> {
  const documentId = await createDraft(app, company.key);
  await attachPdf(app, company, documentId, aPdf());
  const deps = { world: app.world, onOutcome: updateUnlockedItems };
  const file = { accountId: company.id, documentId, pages: 1 };
  await app.db.transaction((tx) => requestUnlock(deps, tx, file, null));
  return documentId;
}

async function stateOf(documentId: string) {
  const [state] = await app.db.query<{ status: string; reason: string | null; attempts: number; credits: number }>({
    name: '',
    text: 'select status, reason, attempts, credits from document_unlocks where document_id = $1',
    values: [documentId],
  });
  return state;
}

test('a file that replaced the one whose price was agreed to is neither unlocked nor paid', async () => {
  const id = await pending();
  await attachPdf(app, company, id, aPdf({ pages: 9 }));
  expect(await unlock(id)).toBe(false);
  expect(await stateOf(id)).toEqual({ status: 'skipped', reason: null, attempts: 0, credits: 0 });
});

const voiding = `update documents set status = 'voided', voided_at = $2, voided_reason = 'Not needed' where id = $1`;

test('a document that was voided meanwhile is neither unlocked nor paid', async () => {
  const id = await pending();
  await app.db.query({ name: '', text: voiding, values: [id, app.clock.now()] });
  expect(await unlock(id)).toBe(false);
  expect(await stateOf(id)).toMatchObject({ status: 'skipped', credits: 0 });
});

test('while the file store is away nothing counts as the fault of the file, which is unlocked later', async () => {
  const id = await pending();
  const directory = join(app.dataDir, 'files', 'sha256');
  await rename(directory, `${directory}-away`);
  for (let attempt = 0; attempt < 7; attempt += 1) await expect(unlock(id)).rejects.toThrow('the file store has no');
  expect(await stateOf(id)).toMatchObject({ status: 'pending', attempts: 0 });
  await rename(`${directory}-away`, directory);
  expect(await unlock(id)).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'unlocked', credits: 1 });
});

test('only documents whose job was lost are enqueued again, however long the others wait', async () => {
  const lost = await pending();
  const waiting = await pending();
  const queue = await app.queue();
  const enqueue = (documentId: string) =>
    app.db.transaction((tx) => queue.enqueue(tx, [{ name: 'unlock-document', accountId: company.id, documentId }]));
  await enqueue(waiting);
  app.clock.advance({ minutes: 2 });
  expect(await requeueUnlocks(app.world, app.db, queue)).toBe(1);
  expect(await requeueUnlocks(app.world, app.db, queue)).toBe(0);
  const jobs = await app.db.query<{ document: string }>({
    name: '',
    text: `select data ->> 'documentId' as document from jobs.job where name = 'unlock-document' order by priority desc`,
    values: [],
  });
  expect(jobs.map(({ document }) => document)).toEqual([waiting, lost]);
  await unlock(lost);
  await unlock(waiting);
});

test('a file that stays lost is given up after a day', async () => {
  const id = await pending();
  await rm(join(app.dataDir, 'files', 'sha256'), { recursive: true });
  app.clock.advance({ hours: 25 });
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(unlock(id)).rejects.toThrow('the file store has no');
  expect(await unlock(id)).toBe(false);
  expect(await stateOf(id)).toMatchObject({ status: 'failed', reason: 'conversion_failed', credits: 0 });
});
