import type { FailureReason } from '../import.ts';
import { cleanName } from '../title-of.ts';
import type { ListedEnvelope } from './list-cursor.ts';
import { countRecipients, readRecipients, type VendorRecipient } from './vendor-recipients.ts';
import { instant, isObject, text, type VendorObject } from './vendor-values.ts';

/** A date before every envelope. The vendor requires one. */
export const beginningOfTime = new Date('1998-01-01T00:00:00.000Z');

/** A completed envelope of the vendor's list, with cleaned values: the source of a document and its recipients. */
export interface VendorEnvelope {
  id: string;
  subject: string | null;
  sentAt: string | null;
  /** Null if the list gives no usable time. */
  completedAt: string | null;
  /** Why it can't become a document, whatever its file holds. */
  fault: FailureReason | null;
  /** Whether the vendor has deleted its documents under its customer's retention rules. */
  isPurged: boolean;
  recipients: VendorRecipient[];
}

const envelopeIdPattern = /^[A-Za-z0-9-]{1,100}$/;
/** Inserting this many takes a fraction of a statement's time limit. */
const recipientsMax = 1000;

/**
 * Reads an envelope in DocuSign's format. Returns null if it has no id or a status other than completed. Without a
 * completion time it takes that of the last status change or signature; without those the envelope gets a fault.
 */
export function readEnvelope(given: unknown): VendorEnvelope | null {
  if (!isObject(given)) return null;
  const id = idOf(given);
  const { emailSubject, purgeState, status } = given;
  if (id === null || (typeof status === 'string' && status.toLowerCase() !== 'completed')) return null;
  const hasTooManyRecipients = countRecipients(given) > recipientsMax;
  const sentAt = instant(given.sentDateTime) ?? instant(given.createdDateTime);
  const recipients = hasTooManyRecipients ? [] : readRecipients(given.recipients, sentAt);
  const completedAt =
    completionTime(given.completedDateTime) ?? completionTime(given.statusChangedDateTime) ?? lastSignature(recipients);
  return {
    id,
    subject: cleanName(text(emailSubject)),
    sentAt: sentAt ?? completedAt,
    completedAt,
    fault: hasTooManyRecipients || completedAt === null ? 'download_failed' : null,
    isPurged: typeof purgeState === 'string' && purgeState.endsWith('_purged'),
    recipients: recipients.map((one) => ({ ...one, sentAt: one.sentAt ?? completedAt })),
  };
}

/** Returns the envelope's place in the list. Null if its completion time is missing or in the future. */
export function readPlace(given: unknown, now: Date): ListedEnvelope | null {
  if (!isObject(given)) return null;
  const [id, completedAt] = [idOf(given), completionTime(given.completedDateTime)];
  return id === null || completedAt === null || completedAt > now.toISOString() ? null : { id, completedAt };
}

function idOf({ envelopeId }: VendorObject): string | null {
  return typeof envelopeId === 'string' && envelopeIdPattern.test(envelopeId) ? envelopeId.toLowerCase() : null;
}

/** Returns the time, or null if no envelope can have been completed then. */
function completionTime(given: unknown): string | null {
  const at = instant(given);
  return at === null || at < beginningOfTime.toISOString() ? null : at;
}

function lastSignature(recipients: readonly VendorRecipient[]): string | null {
  return completionTime(
    recipients
      .flatMap(({ signedAt }) => signedAt ?? [])
      .sort()
      .at(-1),
  );
}
