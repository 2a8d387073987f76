import type { Document } from '../../documents/document.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import type { MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { findOwnDocument, lockOwnDocument } from '../documents/own-document.ts';

/** Finds the template of the path's `:id`, also after it was deleted. Throws `not_found`. */
export async function findOwnTemplate(db: Queryable, call: MemberCall<unknown>): Promise<Document> {
  const document = await findOwnDocument(db, call);
  if (!document.is_template) throw new ConsoleError('not_found');
  return document;
}

/** Locks the template of the path's `:id`. Throws `not_found`, also after it was deleted. */
export async function lockOwnTemplate(tx: Tx, call: MemberCall<unknown>): Promise<Document> {
  return assertThere(await lockOwnDocument(tx, call));
}

/** Throws `not_found` for a document that is no template, or a deleted one. */
export function assertThere(document: Document): Document {
  if (!document.is_template || document.status === 'voided') throw new ConsoleError('not_found');
  return document;
}
