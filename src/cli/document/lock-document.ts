import type { Document } from '../../documents/document.ts';
import { findDocument, lockDocument } from '../../documents/queries.ts';
import type { Tx } from '../../postgres/database.ts';
import { byId, noSuch } from '../core/by-id.ts';

/** Locks a document by its id alone. Reads its account first, because every other query needs it. */
export async function lockById(tx: Tx, id: string): Promise<Document> {
  return byId('document', id, async () => {
    const found = await findDocument(tx, id);
    return found && lockDocument(tx, found.account_id, found.id, 'all');
  });
}

/** Locks a template that was not deleted. */
export async function lockTemplate(tx: Tx, id: string): Promise<Document> {
  const found = await lockById(tx, id);
  if (!found.is_template || found.status === 'voided') throw noSuch('template', id);
  return found;
}

/** Locks in the order of the ids, so that two commands never deadlock. */
export async function lockBoth(tx: Tx, id: string, otherId: string): Promise<[Document, Document]> {
  const isFirst = id.toLowerCase() <= otherId.toLowerCase();
  const first = await lockById(tx, isFirst ? id : otherId);
  const second = await lockById(tx, isFirst ? otherId : id);
  return isFirst ? [first, second] : [second, first];
}
