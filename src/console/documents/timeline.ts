import { readActor, recipientNames } from '../../actor.ts';
import { type AuditAction, type AuditEntry, pageAudit, readReassignments } from '../../documents/audit.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { readReviewNotes } from '../../documents/review.ts';
import { findPerson } from '../../identity/people.ts';
import { findKey } from '../../keys/manage-keys.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';

/** An entry of a document's audit trail, as members see it. */
export interface TimelineEntry {
  seq: number;
  at: Timestamp;
  action: AuditAction;
  actor: { kind: 'service' | 'operator' | 'api_key' | 'person' | 'recipient'; name: string | null };
  /** The recipient or person it is about, if different from the actor. */
  about: string | null;
  /** A reason, a note or a file name. */
  note: string | null;
  /** For a schedule: when the document was to be sent. */
  send_at: Timestamp | null;
  /** The edited fields, by their names in `POST /documents`. */
  changes: string[];
  /** The files that a recipient signed with. */
  files: { field: string; name: string; bytes: number }[];
}

/** Reads the history, newest first. `before`: a sequence number, or null for the newest. */
export async function readTimeline(
  db: Queryable,
  document: { id: string; account_id: string },
  recipients: readonly Recipient[],
  { before, limit }: { before: number | null; limit: number },
): Promise<TimelineEntry[]> {
  const entries = await pageAudit(db, document.account_id, document.id, before, limit);
  const reassignments = await readReassignments(db, document.account_id, document.id);
  const nameAt = recipientNames(reassignments, new Map(recipients.map((one) => [one.id, one.display_name])));
  const actors = new Map<string, TimelineEntry['actor']>();
  for (const { actor } of entries) {
    if (!actors.has(actor)) actors.set(actor, await describeActor(db, document.account_id, recipients, actor));
  }
  const returns = entries.filter(({ action }) => action === 'returned_to_draft').map(({ seq }) => seq);
  const notes = await readReviewNotes(db, document, returns);
  return entries.map((entry) => {
    const actor = actors.get(entry.actor) as TimelineEntry['actor'];
    const { kind, id } = readActor(entry.actor);
    const then = kind === 'recipient' && id !== null ? { ...actor, name: nameAt(id, entry.seq) } : actor;
    return timelineEntry(entry, then, nameAt, notes.get(entry.seq));
  });
}

/** Describes an actor. `recipients` are those of the document. */
export async function describeActor(
  db: Queryable,
  accountId: string,
  recipients: readonly Recipient[],
  actor: string,
): Promise<TimelineEntry['actor']> {
  const { kind, id } = readActor(actor);
  switch (kind) {
    case 'recipient':
      return { kind, name: recipients.find((recipient) => recipient.id === id)?.display_name ?? null };
    case 'person':
      return { kind, name: id !== null && isUuid(id) ? ((await findPerson(db, id))?.email ?? null) : null };
    case 'api_key': {
      const key = id !== null && isUuid(id) ? await findKey(db, accountId, id) : null;
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
  nameAt: ReturnType<typeof recipientNames>,
  reviewNote: string | undefined,
): TimelineEntry {
  const { recipient_id, reason, from, changes = [], files = [] } = detail as Record<string, unknown>;
  // The trail has only the id of a copy or of a message that did not arrive.
  const name = detail.name ?? (typeof recipient_id === 'string' ? nameAt(recipient_id, seq) : null);
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
    send_at: action === 'send_scheduled' ? (detail.send_at as Timestamp) : null,
    changes: action === 'edited' ? (changes as string[]) : [],
    files: action === 'signed' || action === 'approved' ? (files as TimelineEntry['files']) : [],
  };
}
