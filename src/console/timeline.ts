import type { AuditAction, AuditEntry } from '../documents/audit.ts';
import { pageAudit } from '../documents/audit.ts';
import type { Recipient } from '../documents/recipient.ts';
import { readReviewNotes } from '../documents/review.ts';
import { findPerson } from '../identity/people.ts';
import { findKey } from '../keys/manage-keys.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { isUuid } from '../world/ids.ts';

/** An entry of a document's audit trail, as members read it. */
export interface TimelineEntry {
  seq: number;
  at: Timestamp;
  action: AuditAction;
  actor: { kind: 'service' | 'operator' | 'api_key' | 'person' | 'recipient'; name: string | null };
  /** Whom it is about, where that is not who did it. */
  about: string | null;
  /** A reason or a note that was given, or the name of a file. */
  note: string | null;
  /** What was edited, by the names that `POST /documents` has for it. */
  changes: string[];
}

/** The newest first. `before`: a sequence number, null for the newest. */
export async function readTimeline(
  db: Queryable,
  document: { id: string; account_id: string },
  recipients: readonly Recipient[],
  { before, limit }: { before: number | null; limit: number },
): Promise<TimelineEntry[]> {
  const entries = await pageAudit(db, document.account_id, document.id, before, limit);
  const actors = new Map<string, TimelineEntry['actor']>();
  for (const { actor } of entries) {
    if (!actors.has(actor)) actors.set(actor, await describeActor(db, document.account_id, recipients, actor));
  }
  const returns = entries.filter(({ action }) => action === 'returned_to_draft').map(({ seq }) => seq);
  const notes = await readReviewNotes(db, document, returns);
  return entries.map((entry) => {
    const actor = actors.get(entry.actor) as TimelineEntry['actor'];
    return timelineEntry(entry, actor, recipients, notes.get(entry.seq));
  });
}

/** `recipients`: of the document that the actor did something to. */
export async function describeActor(
  db: Queryable,
  accountId: string,
  recipients: readonly Recipient[],
  actor: string,
): Promise<TimelineEntry['actor']> {
  const [kind, id = ''] = actor.split(':');
  switch (kind) {
    case 'recipient':
      return { kind, name: recipients.find((recipient) => recipient.id === id)?.display_name ?? null };
    case 'person':
      return { kind, name: isUuid(id) ? ((await findPerson(db, id))?.email ?? null) : null };
    case 'api_key': {
      const key = isUuid(id) ? await findKey(db, accountId, id) : null;
      return { kind, name: key?.name ?? key?.hint ?? null };
    }
    case 'operator':
      return { kind, name: null };
    default:
      return { kind: 'service', name: null };
  }
}

function timelineEntry(
  { seq, at, action, detail }: AuditEntry,
  actor: TimelineEntry['actor'],
  recipients: readonly Recipient[],
  reviewNote: string | undefined,
): TimelineEntry {
  const { recipient_id, reason, from, changes = [] } = detail as Record<string, unknown>;
  // Of a copy, or a message that did not arrive, the trail has the id alone.
  const name = detail.name ?? recipients.find(({ id }) => id === recipient_id)?.display_name;
  const isFile = action === 'attached';
  const about = isFile || typeof name !== 'string' || name === actor.name ? null : name;
  const note = isFile ? name : (reviewNote ?? reason ?? from);
  return {
    seq,
    at,
    action,
    actor,
    about,
    note: typeof note === 'string' ? note : null,
    changes: action === 'edited' ? (changes as string[]) : [],
  };
}
