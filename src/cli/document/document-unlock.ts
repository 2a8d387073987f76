import type { Command } from 'commander';
import { readPlanTable } from '../../accounts/plans.ts';
import { readDocumentFile } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { Refusal } from '../../errors.ts';
import { updateUnlockedItems } from '../../imports/unlock-items.ts';
import { createFileStore } from '../../platform/files.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { findUnlock, isAbout, type UnlockReason } from '../../unlock/jobs/document-unlock.ts';
import { enqueueUnlock, requestUnlock } from '../../unlock/jobs/enqueue-unlock.ts';
import { unlockDocument } from '../../unlock/jobs/unlock-document.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

export function defineUnlock(document: Command): void {
  document
    .command('unlock <id>')
    .description('convert the PDF to editable text; costs one credit per page, once')
    .action(async (id: string, _options, command: Command) => {
      answer(command, await withDatabase((session) => unlock(session, id)), card);
    });
}

/** Unlocks at once, even when the service is stopped. Two commands for the same document charge once. */
async function unlock(session: Session, id: string) {
  const { world, db } = session;
  const { found, pending } = await db.transaction(async (tx) => {
    const found = await lockById(tx, id);
    if (found.status === 'voided') throw new Refusal('the document is voided');
    return { found, pending: await requestOnce(world, tx, found) };
  });
  const isDoneHere = pending?.status === 'pending' && (await convert(session, found));
  const done = await findUnlock(db, found.account_id, found.id);
  if (pending === null || done === null) throw new Refusal('the document has no file to unlock');
  if (done.reason !== null) throw new Refusal(refusals[done.reason]);
  if (done.status === 'skipped') throw new Refusal('the file was replaced, or the document voided, meanwhile');
  const { status, pages, finished_at } = done;
  return { id: found.id, status, pages, credits: isDoneHere ? done.credits : 0, finished_at };
}

/** Changes nothing when the document is unlocked already or unlocking is pending. */
async function requestOnce(world: World, tx: Tx, { account_id: accountId, id: documentId }: Document) {
  const file = await readDocumentFile(tx, accountId, documentId);
  if (file === null) return null;
  const before = await findUnlock(tx, accountId, documentId);
  const deps = { world, onOutcome: updateUnlockedItems };
  const isAsked = before !== null && isAbout(before, file.sha256) && ['unlocked', 'pending'].includes(before.status);
  return isAsked
    ? enqueueUnlock(deps, tx, accountId, documentId)
    : requestUnlock(deps, tx, { accountId, documentId, pages: file.page_count }, null);
}

const refusals: Record<UnlockReason, string> = {
  insufficient_credits: 'the company has too few credits: each page costs one, add some with account add-credits',
  encrypted_pdf: 'the PDF is encrypted and forbids copying',
  no_text: 'the PDF has no text, or only pictures of text that cannot be read',
  conversion_failed: 'the PDF is damaged, or takes too long or too much memory to read',
};

async function convert({ config, world, db }: Session, { account_id, id }: Document): Promise<boolean> {
  // Loaded on demand: no other command unlocks.
  const { createUnlocker } = await import('../../unlock/convert/create-unlocker.ts');
  const unlocker = createUnlocker({ log: world.log });
  try {
    const plans = readPlanTable(config.plansFile);
    const files = createFileStore(config.filesUrl, config.s3);
    return await unlockDocument(
      { world, database: db, plans, files, unlocker, onOutcome: updateUnlockedItems },
      account_id,
      id,
    );
  } finally {
    await unlocker.close();
  }
}
