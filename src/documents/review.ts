import type { Queryable, Tx } from '../postgres/database.ts';
import type { AuditEntry } from './audit.ts';
import type { Document } from './document.ts';

/** The last step of a document's internal review, from its audit trail. */
export interface ReviewStep extends Pick<AuditEntry, 'at' | 'actor'> {
  action: 'submitted_for_review' | 'returned_to_draft';
  /** The reviewer's reason for a return to draft. Null for a submission. */
  note: string | null;
}

/** Reads the last review step of a document. Returns null if it was never submitted. */
export async function readLastReview(
  db: Queryable,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
): Promise<ReviewStep | null> {
  const rows = await db.query<ReviewStep>({
    name: 'read_last_review',
    text: `select e.at, e.actor, e.action, n.note
           from audit_entries e left join review_notes n on n.document_id = e.document_id and n.seq = e.seq
           where e.account_id = $1 and e.document_id = $2 and e.action in ('submitted_for_review', 'returned_to_draft')
           order by e.seq desc limit 1`,
    values: [account_id, id],
  });
  return rows[0] ?? null;
}

/** Stores a note with the newest entry of the document's audit trail. The caller holds the document's lock. */
export async function saveReviewNote(tx: Tx, { account_id, id, audit_seq }: Document, note: string): Promise<void> {
  await tx.query({
    name: 'save_review_note',
    text: 'insert into review_notes (document_id, seq, account_id, note) values ($1, $2, $3, $4)',
    values: [id, audit_seq, account_id, note],
  });
}

/** Returns the review notes of the audit entries with these sequence numbers, by sequence number. */
export async function readReviewNotes(
  db: Queryable,
  { account_id, id }: Pick<Document, 'account_id' | 'id'>,
  seqs: readonly number[],
): Promise<Map<number, string>> {
  if (seqs.length === 0) return new Map();
  const rows = await db.query<{ seq: number; note: string }>({
    name: 'read_review_notes',
    text: 'select seq, note from review_notes where account_id = $1 and document_id = $2 and seq = any ($3::int[])',
    values: [account_id, id, seqs],
  });
  return new Map(rows.map(({ seq, note }) => [seq, note]));
}

/** Counts the documents in review that the document list shows. Stops at `max`. */
export async function countReviews(db: Queryable, accountId: string, max: number): Promise<number> {
  const rows = await db.query<{ waiting: number }>({
    name: 'count_reviews',
    text: `select count(*)::int as waiting from (
             select from documents
             where account_id = $1 and status = 'in_review' and not is_template and restricted_kind is null limit $2
           ) waiting`,
    values: [accountId, max],
  });
  return rows[0]?.waiting ?? 0;
}
