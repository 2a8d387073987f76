import { type Static, Type } from 'typebox';
import { type DocumentFile, readDocumentFile } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { updateUnlockedItems } from '../../imports/unlock-items.ts';
import type { Queryable } from '../../postgres/database.ts';
import {
  findUnlock,
  isAbout,
  mayBeUnlocked,
  type UnlockReason,
  type UnlockStatus,
} from '../../unlock/jobs/document-unlock.ts';
import { requestUnlock } from '../../unlock/jobs/enqueue-unlock.ts';
import { isPaid, readBalance } from '../../usage/credits.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { findOwnDocument, lockOwnDocument } from '../documents/own-document.ts';

/** Unlocking of the document's current file. */
export interface UnlockView {
  /** `none`: unlocking was never requested. */
  status: UnlockStatus | 'none';
  reason: UnlockReason | null;
  /** Whether unlocking can be requested now, apart from credits. */
  can_unlock: boolean;
  /** Pages of the file. Each one costs one credit. */
  pages: number;
  /** In credits. 0 if it was already paid. */
  cost: number;
  /** Available credits, including those that the plan has yet to add this month. */
  credits: number;
}

/** The number of pages for which the caller has seen the price. */
const agreed = Type.Object({ pages: Type.Integer({ minimum: 1 }) });

/** The price of unlocking a document, and unlocking it. */
export const unlockEndpoints = [
  forMembers('GET /documents/:id/unlock', 'member', {}, async (deps, call) =>
    viewUnlock(deps, deps.db, await findOwnDocument(deps.db, call)),
  ),
  forMembers('POST /documents/:id/unlock', 'member', { body: agreed }, unlock),
];

/**
 * Requests unlocking. Throws `changed_meanwhile` if the price is not the accepted one, and `refused` for a voided
 * document.
 */
function unlock(deps: ConsoleDeps, call: MemberCall<Static<typeof agreed>>): Promise<UnlockView> {
  const { world, db, queue } = deps;
  return db.transaction(async (tx) => {
    const document = await lockOwnDocument(tx, call);
    const before = await viewUnlock(deps, tx, document);
    if (before.pages !== call.body.pages) throw new ConsoleError('changed_meanwhile');
    if (before.status === 'unlocked' || before.status === 'pending') return before;
    if (!before.can_unlock) throw new ConsoleError('refused');
    const { account_id: accountId, id: documentId } = document;
    const file = { accountId, documentId, pages: before.pages };
    await requestUnlock({ world, onOutcome: updateUnlockedItems }, tx, file, call.caller.person.id);
    await queue.enqueue(tx, [{ name: 'unlock-document', accountId, documentId }]);
    return { ...before, status: 'pending', reason: null, can_unlock: false };
  });
}

async function viewUnlock(
  { world, plans }: Pick<ConsoleDeps, 'world' | 'plans'>,
  db: Queryable,
  { account_id: accountId, id: documentId, status: documentStatus }: Document,
): Promise<UnlockView> {
  // Read first: the transaction that records the success also charges the pages, so the balance read later includes them.
  const unlock = await findUnlock(db, accountId, documentId);
  const [file, balance] = await Promise.all([
    readFile(db, accountId, documentId),
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
