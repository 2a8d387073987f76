import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** What a recipient wrote to the sender. */
export interface RecipientComment {
  id: string;
  recipient_id: string;
  /** Which of the recipient's people wrote, counted from 1. */
  holder: number;
  at: Timestamp;
  /** The person's name at that time. Null, like the text, once the person was erased. */
  name: string | null;
  text: string | null;
}

type DocumentKey = { id: string; account_id: string };

/** Limit for a document, of all its recipients together. */
export const commentsMax = 50;

/** Lists the comments of a document, oldest first. They are at most `commentsMax`. */
export async function listComments(db: Queryable, { id, account_id }: DocumentKey): Promise<RecipientComment[]> {
  return db.query<RecipientComment>({
    name: 'list_comments',
    text: `select id, recipient_id, holder, at, name, text from recipient_comments
           where account_id = $1 and document_id = $2 order by at, id`,
    values: [account_id, id],
  });
}

export async function findComment(
  db: Queryable,
  { id, account_id }: DocumentKey,
  commentId: string,
): Promise<RecipientComment | null> {
  const [comment] = await db.query<RecipientComment>({
    name: 'find_comment',
    text: `select id, recipient_id, holder, at, name, text from recipient_comments
           where account_id = $1 and document_id = $2 and id = $3`,
    values: [account_id, id, commentId],
  });
  return comment ?? null;
}

/** Whether anyone commented on a document. */
export async function hasComments(db: Queryable, { id, account_id }: DocumentKey): Promise<boolean> {
  const found = await db.query({
    name: 'has_comments',
    text: 'select from recipient_comments where account_id = $1 and document_id = $2 limit 1',
    values: [account_id, id],
  });
  return found.length > 0;
}

/** Stores a comment. The caller holds the document's lock and has counted its comments. */
export async function insertComment(
  tx: Tx,
  { id: documentId, account_id }: DocumentKey,
  { id, recipient_id, holder, at, name, text }: RecipientComment,
): Promise<void> {
  await tx.query({
    name: 'insert_comment',
    text: `insert into recipient_comments (account_id, document_id, id, recipient_id, holder, at, name, text)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [account_id, documentId, id, recipient_id, holder, at, name, text],
  });
}
