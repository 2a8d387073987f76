import { type Static, Type } from 'typebox';
import { type DocumentFile, readDocumentFile } from '../documents/attachment.ts';
import type { Document } from '../documents/document.ts';
import type { UnlockReason, UnlockStatus } from '../imports/import.ts';
import { askUnlock } from '../imports/unlock.ts';
import { findUnlock, isAbout, mayBeUnlocked } from '../imports/unlock-rows.ts';
import type { Queryable } from '../postgres/database.ts';
import { isPaid, readBalance } from '../usage/credits.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { findOwnDocument, lockOwnDocument } from './own-document.ts';

/** Of the file that a document has now. */
export interface UnlockView {
  /** `none`: nobody has asked for it. */
  status: UnlockStatus | 'none';
  reason: UnlockReason | null;
  /** Whether it can be asked for now, however many credits there are. */
  can_unlock: boolean;
  /** That it has, each of which is a credit. */
  pages: number;
  /** In credits: none for what was paid already. */
  cost: number;
  /** Credits that can be spent: those the company has, and those its plan still gives it this month. */
  credits: number;
}

/** The pages that whoever asks was shown the price of. */
const agreed = Type.Object({ pages: Type.Integer({ minimum: 1 }) });

/** What unlocking a document costs, and unlocking it. */
export const unlockEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /documents/:id/unlock', 'member', {}, async (means, call) =>
    viewUnlock(means, means.db, await findOwnDocument(means.db, call)),
  ),
  forMembers('POST /documents/:id/unlock', 'member', { body: agreed }, unlock),
];

/**
 * Asks for it as an import does. Throws `changed_meanwhile` where the price is another than was agreed to, and `refused`
 * for a voided document.
 */
function unlock(means: ConsoleMeans, call: MemberCall<Static<typeof agreed>>): Promise<UnlockView> {
  const { world, db, queue } = means;
  return db.transaction(async (tx) => {
    const document = await lockOwnDocument(tx, call);
    const before = await viewUnlock(means, tx, document);
    if (before.pages !== call.body.pages) throw new ConsoleError('changed_meanwhile');
    if (before.status === 'unlocked' || before.status === 'pending') return before;
    if (!before.can_unlock) throw new ConsoleError('refused');
    const { account_id: accountId, id: documentId } = document;
    await askUnlock(world, tx, { accountId, documentId, pages: before.pages }, call.caller.person.id);
    await queue.enqueue(tx, [{ name: 'unlock-document', accountId, documentId }]);
    return { ...before, status: 'pending', reason: null, can_unlock: false };
  });
}

async function viewUnlock(
  { world, plans }: Pick<ConsoleMeans, 'world' | 'plans'>,
  db: Queryable,
  { account_id: accountId, id: documentId, status: documentStatus }: Document,
): Promise<UnlockView> {
  const [file, unlock, balance] = await Promise.all([
    readFile(db, accountId, documentId),
    findUnlock(db, accountId, documentId),
    readBalance(world, db, plans, accountId),
  ]);
  const { status = null, reason = null } = unlock !== null && isAbout(unlock, file.sha256) ? unlock : {};
  return {
    status: status ?? 'none',
    reason,
    can_unlock: mayBeUnlocked(documentStatus, status),
    pages: file.page_count,
    cost: (await isPaid(db, { documentId, sourceSha256: file.sha256 })) ? 0 : file.page_count,
    credits: balance.credits + balance.due,
  };
}

async function readFile(db: Queryable, accountId: string, documentId: string): Promise<DocumentFile> {
  const file = await readDocumentFile(db, accountId, documentId);
  if (file === null) throw new ConsoleError('refused');
  return file;
}
