import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import type { Document } from './document.ts';
import { hideDevice, type Openings } from './hidden-details.ts';

/**
 * One entry of the append-only audit trail of a document. Each entry includes the hash of the entry before it, so a
 * changed, missing or inserted entry breaks every later hash.
 */
export interface AuditEntry {
  seq: number;
  at: Timestamp;
  actor: Actor;
  action: AuditAction;
  detail: Record<string, unknown>;
}

/** Every action of a trail. The certificate has a word for each in both languages. */
export const auditActions = [
  'created',
  'edited',
  'attached',
  'fields_placed',
  'submitted_for_review',
  'returned_to_draft',
  'send_scheduled',
  'schedule_cancelled',
  'schedule_failed',
  'sent',
  'requested',
  'reminded',
  'reassigned',
  'code_sent',
  'account_link_sent',
  'verification_failed',
  'verified',
  'viewed',
  'commented',
  'consented',
  'signed',
  'approved',
  'declined',
  'attested',
  'completed',
  'voided',
  'expired',
  'sealed',
  'seal_stopped',
  'seal_retried',
  'renewed',
  'copied',
  'delivery_failed',
  'restricted',
  'restriction_lifted',
  'made_template',
  'mirrored',
  'link_shown',
  'personal_data_erased',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** The last entry of a trail. */
export interface AuditHead {
  seq: number;
  hash: Buffer;
}

export interface ChainedEntry extends AuditEntry {
  previousHash: Buffer;
  hash: Buffer;
  /**
   * When personal details were removed from the entry. Null or absent: never. The hash is then still that of the whole entry,
   * and a later entry `personal_data_erased` has the hash of what is left.
   */
  erasedAt?: Timestamp | null;
  /** What the detail has only salted hashes of. The hash of the entry does not include it. Null or absent: nothing. */
  openings?: Openings | null;
}

export const emptyChain: AuditHead = { seq: 0, hash: Buffer.alloc(32) };

/** Gives an entry the next sequence number and its hashes. */
export function chainEntry(documentId: string, head: AuditHead, entry: Omit<AuditEntry, 'seq'>): ChainedEntry {
  const chained = { ...entry, seq: head.seq + 1 };
  return { ...chained, previousHash: head.hash, hash: entryHash(documentId, head.hash, chained) };
}

/** Returns SHA-256 of the previous hash and the entry's canonical JSON. Anyone can recompute it to check a trail. */
function entryHash(documentId: string, previousHash: Buffer, entry: AuditEntry): Buffer {
  const { seq, at, actor, action, detail } = entry;
  const text = canonicalJson({ document_id: documentId, seq, at, actor, action, detail });
  return createHash('sha256').update(previousHash).update(text).digest();
}

/** Returns the sequence number of the first entry that does not fit the chain, or null for an intact trail. */
export function firstBreak(documentId: string, trail: readonly ChainedEntry[]): number | null {
  let head = emptyChain;
  for (const entry of trail) {
    const follows = entry.seq === head.seq + 1 && entry.previousHash.equals(head.hash);
    if (!follows || !isAsWritten(documentId, head, entry, trail)) return entry.seq;
    head = { seq: entry.seq, hash: entry.hash };
  }
  return null;
}

/** Whether an entry has its hash. What is left of an erased entry has the hash in a later entry, which the chain protects. */
function isAsWritten(
  documentId: string,
  head: AuditHead,
  entry: ChainedEntry,
  trail: readonly ChainedEntry[],
): boolean {
  if (!entry.erasedAt) return entry.hash.equals(entryHash(documentId, head.hash, entry));
  const remainder = remainderHash(documentId, entry);
  return trail.some(
    ({ seq, action, detail, erasedAt }) =>
      seq > entry.seq &&
      action === 'personal_data_erased' &&
      !erasedAt &&
      hasRemainder(detail.entries, entry.seq, remainder),
  );
}

function hasRemainder(entries: unknown, seq: number, sha256: string): boolean {
  return Array.isArray(entries) && entries.some((listed) => listed?.seq === seq && listed?.sha256 === sha256);
}

/** Returns the SHA-256 (hex) of what is left of an entry without personal details, with its own hashes. */
export function remainderHash(documentId: string, entry: ChainedEntry): string {
  const { seq, at, actor, action, detail, previousHash, hash } = entry;
  const hashes = { previous_hash: previousHash.toString('hex'), hash: hash.toString('hex') };
  const text = canonicalJson({ document_id: documentId, seq, at, actor, action, detail, ...hashes });
  return createHash('sha256').update(text).digest('hex');
}

/** A change of a document's row. It is made with the audit entries that tell of it, in one update of the row. */
export interface AuditedChange {
  /** Names the statement. A name always stands for the same columns. */
  name: string;
  columns: Record<string, unknown>;
}

/**
 * Appends entries to the audit trail of a document, updates the head stored with the document, and makes `change`. The
 * caller holds the document's lock. Also notifies listeners of `documentsChannel`, because every change of a document is
 * audited. In a document whose sealed PDF does not show devices, entries have only salted hashes of them.
 */
export async function appendAudit(
  tx: Tx,
  document: Pick<Document, 'id' | 'account_id' | 'audit_seq' | 'audit_hash' | 'shows_devices'>,
  entries: ReadonlyArray<Omit<AuditEntry, 'seq'>>,
  change: AuditedChange = { name: 'append_audit', columns: {} },
): Promise<void> {
  let head: AuditHead = { seq: document.audit_seq, hash: document.audit_hash };
  const chained = entries.map((entry) => {
    const { detail, openings } =
      document.shows_devices === false ? hideDevice(entry.detail) : { detail: entry.detail, openings: null };
    const next = chainEntry(document.id, head, { ...entry, detail });
    head = { seq: next.seq, hash: next.hash };
    return { ...next, openings };
  });
  document.audit_seq = head.seq;
  document.audit_hash = head.hash;
  tx.notify(documentsChannel, document.account_id);
  const changed = Object.keys(change.columns).map((column, i) => `, ${column} = $${i + 13}`);
  await tx.query({
    name: change.name,
    text: `with head as (
             update documents set audit_seq = $3, audit_hash = $4${changed.join('')} where account_id = $2 and id = $1
           )
           insert into audit_entries (document_id, account_id, seq, at, actor, action, detail, previous_hash, hash, openings)
           select $1, $2, e.* from unnest($5::int[], $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::bytea[],
             $11::bytea[], $12::text[]) as e`,
    values: [
      document.id,
      document.account_id,
      head.seq,
      head.hash,
      chained.map((entry) => entry.seq),
      chained.map((entry) => entry.at),
      chained.map((entry) => entry.actor),
      chained.map((entry) => entry.action),
      chained.map((entry) => canonicalJson(entry.detail)),
      chained.map((entry) => entry.previousHash),
      chained.map((entry) => entry.hash),
      chained.map(({ openings }) => openings && JSON.stringify(openings)),
      ...Object.values(change.columns),
    ],
  });
}

/** Reads the whole audit trail of a document with its hashes, oldest entry first. */
export async function readAudit(db: Queryable, accountId: string, documentId: string): Promise<ChainedEntry[]> {
  const rows = await db.query<Omit<ChainedEntry, 'detail' | 'openings'> & { detail: string; openings: string | null }>({
    name: 'read_audit',
    text: `select seq, at, actor, action, detail, previous_hash as "previousHash", hash, erased_at as "erasedAt", openings
           from audit_entries where account_id = $1 and document_id = $2 order by seq`,
    values: [accountId, documentId],
  });
  return rows.map((row) => ({
    ...row,
    detail: JSON.parse(row.detail),
    openings: row.openings === null ? null : JSON.parse(row.openings),
  }));
}

/**
 * Reads the newest entries, or those before a sequence number, newest first. Returns no hashes: use `readAudit` to check
 * the trail.
 */
export async function pageAudit(
  db: Queryable,
  accountId: string,
  documentId: string,
  before: number | null,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await db.query<Omit<AuditEntry, 'detail'> & { detail: string }>({
    name: 'page_audit',
    text: `select seq, at, actor, action, detail from audit_entries
           where account_id = $1 and document_id = $2 and ($3::int is null or seq < $3) order by seq desc limit $4`,
    values: [accountId, documentId, before, limit],
  });
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}

/** Reads the entries that gave recipients to other people, oldest first. */
export async function readReassignments(db: Queryable, accountId: string, documentId: string): Promise<AuditEntry[]> {
  const rows = await db.query<Omit<AuditEntry, 'detail'> & { detail: string }>({
    name: 'read_reassignments',
    text: `select seq, at, actor, action, detail from audit_entries
           where account_id = $1 and document_id = $2 and action = 'reassigned' order by seq`,
    values: [accountId, documentId],
  });
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}

/** PostgreSQL channel notified when a document is created or changed. The payload is the id of its account. */
export const documentsChannel = 'document_changes';
