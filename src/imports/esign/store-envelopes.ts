import { retainFiles } from '../../documents/stored-files.ts';
import type { Tx } from '../../postgres/database.ts';
import { chargeStorage, lockImportUsage } from '../../usage/import-quota.ts';
import { starterOf } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { assertLeased } from '../lease.ts';
import type { ClaimedEnvelope, KnownEnvelope } from './claim-envelopes.ts';
import type { Outcome } from './fetch-envelope.ts';
import { type ImportedDocument, importedDocument } from './imported-document.ts';
import { insertImported } from './insert-imported.ts';
import { type SettledEnvelope, settleEnvelopes } from './settle-envelopes.ts';
import type { RunningVendorImport } from './vendor-import.ts';

export interface EnvelopeResult {
  claimed: ClaimedEnvelope;
  outcome: Outcome;
}

/**
 * Stores a batch in one transaction: inserts the documents, charges their storage and ends their items, each with one
 * statement for the whole batch. Throws `LeaseLost`, and stores nothing, if another process has taken over.
 */
export async function storeEnvelopes(
  { world, unlock }: Pick<ImportDeps, 'world' | 'unlock'>,
  tx: Tx,
  { import: row, lease }: RunningVendorImport,
  results: readonly EnvelopeResult[],
): Promise<void> {
  const { account_id: accountId } = row;
  const actor = starterOf(row);
  await Promise.all([lockImportUsage(tx, accountId, world.clock.now()), assertLeased(tx, lease)]);

  const filed = results.flatMap(({ claimed, outcome }) =>
    outcome.kind === 'filed'
      ? [{ claimed, file: outcome.file, made: importedDocument(world, actor, claimed.envelope, outcome.file) }]
      : [],
  );
  const newDocuments = new Map(filed.map(({ claimed, made }) => [claimed.itemId, made]));
  const settled = results.map(({ claimed, outcome }) => settledOf(claimed, outcome, newDocuments.get(claimed.itemId)));
  if (filed.length > 0) {
    await retainFiles(
      tx,
      filed.map(({ file }) => file),
    );
    await insertImported(
      world,
      tx,
      accountId,
      filed.map(({ made }) => made),
    );
    await chargeStorage(
      tx,
      accountId,
      filed.reduce((sum, { file }) => sum + file.bytes, 0),
    );
  }
  await settleEnvelopes(world, tx, lease, settled, unlock !== null);
  if (!row.unlock_doc) return;
  for (const { documentId, itemId } of settled) {
    if (documentId !== null) await unlock?.enqueue(tx, { accountId, documentId, itemId, sha256: null });
  }
}

function settledOf({ itemId }: ClaimedEnvelope, outcome: Outcome, made: ImportedDocument | undefined): SettledEnvelope {
  const none = { itemId, reason: null, isDuplicate: false };
  if (made !== undefined) return { ...none, ...filedAs(made.known.document_id, made.known) };
  if (outcome.kind === 'known')
    return { ...none, ...filedAs(outcome.known.documentId, outcome.known), isDuplicate: true };
  const reason = outcome.kind === 'failed' ? outcome.reason : 'download_failed';
  return { ...none, reason, documentId: null, bytes: null, pages: null };
}

function filedAs(documentId: string, { bytes, pages }: Pick<KnownEnvelope, 'bytes' | 'pages'>) {
  return { documentId, bytes, pages };
}
