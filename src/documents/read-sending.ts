import type { Queryable } from '../postgres/database.ts';
import type { Document } from './document.ts';

/** How a document was sent, when it will be, and its folder: what lists show next to the Document of the API. */
export type Sending = Pick<Document, 'sent_mode' | 'send_at' | 'folder_id'>;

/** Reads how these documents are sent and where they are, by id. */
export async function readSending(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Sending>> {
  const rows = await db.query<Sending & { id: string }>({
    name: 'read_sending',
    text: 'select id, sent_mode, send_at, folder_id from documents where account_id = $1 and id = any ($2)',
    values: [accountId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
