import type { Document } from '../documents/document.ts';
import { findDocument, lockDocument } from '../documents/queries.ts';
import type { Tx } from '../postgres/database.ts';
import { byId } from './by-id.ts';

/** Operators name a document by its id alone; the account that everything else asks for is read first. */
export async function lockById(tx: Tx, id: string): Promise<Document> {
  return byId('document', id, async () => {
    const found = await findDocument(tx, id);
    return found && lockDocument(tx, found.account_id, found.id, 'all');
  });
}

/** In the order of their ids whatever the order asked for, so that two commands never wait for each other. */
export async function lockBoth(tx: Tx, id: string, otherId: string): Promise<[Document, Document]> {
  const isFirst = id.toLowerCase() <= otherId.toLowerCase();
  const first = await lockById(tx, isFirst ? id : otherId);
  const second = await lockById(tx, isFirst ? otherId : id);
  return isFirst ? [first, second] : [second, first];
}
