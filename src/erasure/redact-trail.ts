import { recipientActor } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import { appendAudit, type ChainedEntry, firstBreak, readAudit, remainderHash } from '../documents/audit.ts';
import { type Document, isUnsent } from '../documents/document.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';

/** Details that say nothing about a person and that the check of a trail needs. Everything else is removed. */
const kept = new Set([
  ...['recipient_id', 'channel', 'kind', 'number', 'mode', 'auth_level', 'method', 'language', 'disclosure'],
  ...['how', 'disclosure_sha256', 'in_account'],
  ...['content_sha256', 'fields_sha256', 'fields', 'embeds_file', 'page', 'sha256', 'shown', 'shown_sha256'],
]);

/** A recipient, and which of the people that the recipient was given to, counted from 1. */
export interface Holder {
  recipientId: string;
  holder: number;
}

/**
 * Removes the personal details of people from the trail of a locked document, and appends an entry with the hashes of what is
 * left. Returns how many entries. An unsent document gets this entry even if no other entry is about them: the number of the
 * last entry is its version, so that an older page cannot save their details again. Throws a `Refusal` when the trail is
 * broken: nothing would show it afterwards.
 */
export async function redactTrail(
  world: World,
  tx: Tx,
  document: Document,
  holders: readonly Holder[],
): Promise<number> {
  const trail = await readAudit(tx, document.account_id, document.id);
  const broken = firstBreak(document.id, trail);
  if (broken !== null) {
    throw new Refusal(
      `the audit trail of document ${document.id} is broken at entry ${broken}: nothing is erased in it`,
    );
  }
  const at = world.clock.now().toISOString();
  const redacted = trail
    .filter((entry) => !entry.erasedAt && isAbout(entry, trail, holders))
    .map((entry) => ({ ...entry, detail: remainderOf(entry.detail), erasedAt: at }));
  if (redacted.length === 0 && !isUnsent(document.status)) return 0;
  await tx.query({
    name: 'redact_audit_entries',
    text: `update audit_entries a set detail = r.detail, openings = null, erased_at = $3
           from unnest($4::int[], $5::text[]) as r (seq, detail)
           where a.account_id = $1 and a.document_id = $2 and a.seq = r.seq`,
    values: [
      document.account_id,
      document.id,
      at,
      redacted.map(({ seq }) => seq),
      redacted.map(({ detail }) => canonicalJson(detail)),
    ],
  });
  const entries = redacted.map((entry) => ({ seq: entry.seq, sha256: remainderHash(document.id, entry) }));
  await appendAudit(tx, document, [{ at, actor: 'operator', action: 'personal_data_erased', detail: { entries } }]);
  return redacted.length;
}

function remainderOf(detail: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => kept.has(name)));
}

/** An attestation has no personal details. A reassignment names the new person and the one before, so it is about both. */
function isAbout(entry: ChainedEntry, trail: readonly ChainedEntry[], holders: readonly Holder[]): boolean {
  if (entry.action === 'attested') return false;
  return holders.some(({ recipientId, holder }) => {
    const names = entry.actor === recipientActor(recipientId) || entry.detail.recipient_id === recipientId;
    if (!names) return false;
    const isReassigned = (other: ChainedEntry) =>
      other.action === 'reassigned' && other.detail.recipient_id === recipientId && other.seq <= entry.seq;
    const at = 1 + trail.filter(isReassigned).length;
    return at === holder || (entry.action === 'reassigned' && at === holder + 1);
  });
}
