import { createHash } from 'node:crypto';
import { readActor } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Field } from '../documents/field.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** How a signature was made. */
export type SignatureMethod = 'typed' | 'drawn' | 'uploaded';

/** A signature or approval that was recorded, as the pages of other recipients show it. */
export interface RecordedSignature {
  recipientId: string;
  at: Timestamp;
  /** The name that was signed with. Null once the person is erased. */
  signedAs: string | null;
  method: SignatureMethod | 'approval';
  /** The hash of its audit entry, in hex. */
  entryHash: string;
}

/** Lists the signatures and approvals of a document in the order in which they were recorded. */
export async function listSignatures(
  db: Queryable,
  { account_id, id }: { account_id: string; id: string },
): Promise<RecordedSignature[]> {
  const rows = await db.query<{ at: Timestamp; actor: string; detail: string; hash: Buffer }>({
    name: 'list_signatures',
    text: `select at, actor, detail, hash from audit_entries
           where account_id = $1 and document_id = $2 and action in ('signed', 'approved') order by seq`,
    values: [account_id, id],
  });
  return rows.map(({ at, actor, detail, hash }) => {
    const { signed_as, method } = JSON.parse(detail) as { signed_as?: string; method: 'typed' };
    const signedAs = signed_as ?? null;
    return { recipientId: readActor(actor).id ?? actor, at, signedAs, method, entryHash: hash.toString('hex') };
  });
}

/** Returns the fields of a recipient whose values others may see: those that were signed and aren't private. */
export function visibleFields(fields: readonly Field[], recipientId: string): Field[] {
  return fields.filter(
    ({ recipient_id, filled_at, value, is_private }) =>
      recipient_id === recipientId && filled_at !== null && value !== null && !is_private,
  );
}

/**
 * Returns the hash of what a page shows of other recipients: SHA-256 of the canonical JSON of
 * `[{ recipient_id, entry_hash, values: [{ id, value }, …] }, …]`, in hex. `docs/verify.md` describes it.
 */
export function shownSha256(signatures: readonly RecordedSignature[], fields: readonly Field[]): string {
  const shown = signatures.map(({ recipientId, entryHash }) => ({
    recipient_id: recipientId,
    entry_hash: entryHash,
    values: visibleFields(fields, recipientId).map(({ id, value }) => ({ id, value })),
  }));
  return createHash('sha256').update(canonicalJson(shown)).digest('hex');
}

/** The audit detail: how many earlier signatures the page showed, and the hash of what it showed. */
export interface ShownDetail {
  shown: number;
  shown_sha256: string;
}

/**
 * Returns the audit detail for a hash that a page sends. Signatures are only ever added, so the page showed the first ones.
 * Without a hash the page showed none. Returns null if no page of this document can have had the hash.
 */
export function shownDetail(
  sha256: string | null,
  signatures: readonly RecordedSignature[],
  fields: readonly Field[],
): ShownDetail | null {
  const none = { shown: 0, shown_sha256: shownSha256([], fields) };
  if (sha256 === null) return none;
  for (let shown = signatures.length; shown >= 0; shown--) {
    if (shownSha256(signatures.slice(0, shown), fields) === sha256) return { shown, shown_sha256: sha256 };
  }
  return null;
}
