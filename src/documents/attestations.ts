import { hasJob } from '../messages/has-job.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

interface OfDocument {
  id: string;
  account_id: string;
}

/** What a recipient did: the number of its audit entry. */
export interface Act {
  recipient: { id: string };
  entry: number;
}

/** Records an act of a recipient whose attestation is to be made. Runs in the transaction of the act. */
export async function recordAct(tx: Tx, document: OfDocument, { recipient, entry }: Act, now: Date): Promise<void> {
  await tx.query({
    name: 'record_act',
    text: `insert into attestations (account_id, document_id, entry, recipient_id, requested_at)
           values ($1, $2, $3, $4, $5)`,
    values: [document.account_id, document.id, entry, recipient.id, now],
  });
}

/** An act without an attestation. */
export interface UnattestedAct {
  entry: number;
  recipient_id: string;
  /** Hash of the audit entry. */
  hash: Buffer;
}

export async function listUnattested(db: Queryable, document: OfDocument): Promise<UnattestedAct[]> {
  return db.query<UnattestedAct>({
    name: 'list_unattested',
    text: `select a.entry, a.recipient_id, e.hash from attestations a
           join audit_entries e on e.account_id = a.account_id and e.document_id = a.document_id and e.seq = a.entry
           where a.account_id = $1 and a.document_id = $2 and a.cms is null order by a.entry`,
    values: [document.account_id, document.id],
  });
}

/** Stores the attestation of an act. Returns false when there is one already, and for an erased document. */
export async function storeAttestation(
  tx: Tx,
  document: OfDocument,
  { entry }: Pick<UnattestedAct, 'entry'>,
  cms: Uint8Array,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'store_attestation',
    text: `update attestations set cms = $4
           where account_id = $1 and document_id = $2 and entry = $3 and cms is null returning entry`,
    values: [document.account_id, document.id, entry, Buffer.from(cms)],
  });
  return rows.length > 0;
}

/** An attestation that was made. */
export interface StoredAttestation {
  entry: number;
  recipient_id: string;
  cms: Buffer;
}

export async function listAttestations(db: Queryable, document: OfDocument): Promise<StoredAttestation[]> {
  return db.query<StoredAttestation>({
    name: 'list_attestations',
    text: `select entry, recipient_id, cms from attestations
           where account_id = $1 and document_id = $2 and cms is not null order by entry`,
    values: [document.account_id, document.id],
  });
}

/** Finds acts of all companies that have had no attestation since `before`, the oldest first. */
export async function findOverdueActs(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<Array<{ account_id: string; document_id: string; entry: number }>> {
  return db.query({
    name: 'find_overdue_acts',
    text: `select account_id, document_id, entry from attestations
           where requested_at < $1 and cms is null and not ${hasJob('attest-act', "attestations.document_id || ' ' || attestations.entry")}
           order by requested_at limit $2`,
    values: [before, limit],
  });
}
