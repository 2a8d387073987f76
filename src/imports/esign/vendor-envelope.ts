import type { FailureReason } from '../import.ts';
import { cleanName } from '../title-of.ts';
import type { ListedEnvelope } from './list-cursor.ts';
import { countRecipients, readRecipients, type VendorRecipient } from './vendor-recipients.ts';
import { instant, isObject, text, type VendorObject } from './vendor-values.ts';

/** Before any envelope: the vendor wants a date. */
export const beginningOfTime = new Date('1998-01-01T00:00:00.000Z');

/** What the vendor's list says of a completed envelope, cleaned: what a document and its recipients are made of. */
export interface VendorEnvelope {
  id: string;
  subject: string | null;
  sentAt: string | null;
  /** Null where nothing says when. */
  completedAt: string | null;
  /** Why it can become no document, whatever its file is. */
  fault: FailureReason | null;
  /** The vendor has deleted its documents, as its customer's rules of retention ask. */
  isPurged: boolean;
  recipients: VendorRecipient[];
}

const envelopeIdPattern = /^[A-Za-z0-9-]{1,100}$/;
/** An envelope of so many is filed in a fraction of the time that a statement has. */
const recipientsMax = 1000;

/**
 * From DocuSign's shape. Null for what has no id, or is said to be anything but completed. Where no time of completion can
 * be read it is that of the last change or of the last signature; without any of them the envelope has a fault.
 */
export function readEnvelope(given: unknown): VendorEnvelope | null {
  if (!isObject(given)) return null;
  const id = idOf(given);
  const { emailSubject, purgeState, status } = given;
  if (id === null || (typeof status === 'string' && status.toLowerCase() !== 'completed')) return null;
  const isCrowded = countRecipients(given) > recipientsMax;
  const sentAt = instant(given.sentDateTime) ?? instant(given.createdDateTime);
  const recipients = isCrowded ? [] : readRecipients(given.recipients, sentAt);
  const completedAt =
    plausible(given.completedDateTime) ?? plausible(given.statusChangedDateTime) ?? lastSignature(recipients);
  return {
    id,
    subject: cleanName(text(emailSubject)),
    sentAt: sentAt ?? completedAt,
    completedAt,
    fault: isCrowded || completedAt === null ? 'download_failed' : null,
    isPurged: typeof purgeState === 'string' && purgeState.endsWith('_purged'),
    recipients: recipients.map((one) => ({ ...one, sentAt: one.sentAt ?? completedAt })),
  };
}

/** Where it stands in the list. Null where its own time does not say so, or says a time that has not come. */
export function readPlace(given: unknown, now: Date): ListedEnvelope | null {
  if (!isObject(given)) return null;
  const [id, completedAt] = [idOf(given), plausible(given.completedDateTime)];
  return id === null || completedAt === null || completedAt > now.toISOString() ? null : { id, completedAt };
}

function idOf({ envelopeId }: VendorObject): string | null {
  return typeof envelopeId === 'string' && envelopeIdPattern.test(envelopeId) ? envelopeId.toLowerCase() : null;
}

/** A time at which an envelope can have been completed. */
function plausible(given: unknown): string | null {
  const at = instant(given);
  return at === null || at < beginningOfTime.toISOString() ? null : at;
}

function lastSignature(recipients: readonly VendorRecipient[]): string | null {
  return plausible(
    recipients
      .flatMap(({ signedAt }) => signedAt ?? [])
      .sort()
      .at(-1),
  );
}
