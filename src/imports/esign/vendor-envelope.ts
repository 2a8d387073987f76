import type { Channel, RecipientStatus } from '../../documents/recipient.ts';
import { emailLengthMax } from '../../world/email-address.ts';
import type { FailureReason } from '../import.ts';
import { cleanName, cleanText } from '../title-of.ts';
import type { ListedEnvelope } from './list-cursor.ts';

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

export interface VendorRecipient {
  name: string;
  email: string | null;
  phone: string | null;
  role: string | null;
  channel: Channel;
  order: number;
  status: RecipientStatus;
  sentAt: string | null;
  viewedAt: string | null;
  signedAt: string | null;
  declinedAt: string | null;
  declinedReason: string | null;
}

const envelopeIdPattern = /^[A-Za-z0-9-]{1,100}$/;
const nameLengthMax = 120;
const phoneLengthMax = 40;
const roleLengthMax = 60;
const reasonLengthMax = 1000;
const orderMax = 2_147_483_647;
/** An envelope of so many is filed in a fraction of the time that a statement has. */
const recipientsMax = 1000;

/* biome-ignore format: a table reads as a table */
const kinds: ReadonlyArray<[list: string, kind: 'signer' | 'cc']> = [
  ['signers',             'signer'],
  ['inPersonSigners',     'signer'],
  ['notaries',            'signer'],
  ['witnesses',           'signer'],
  ['agents',              'cc'],
  ['editors',             'cc'],
  ['intermediaries',      'cc'],
  ['certifiedDeliveries', 'cc'],
  ['carbonCopies',        'cc'],
];

type Given = Record<string, unknown>;

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

function idOf({ envelopeId }: Given): string | null {
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

/** Of an envelope in DocuSign's shape. */
export function countRecipients(given: unknown): number {
  const recipients = isObject(given) ? given.recipients : null;
  if (!isObject(recipients)) return 0;
  return kinds.reduce((count, [list]) => count + (Array.isArray(recipients[list]) ? recipients[list].length : 0), 0);
}

/** In their order, those of one number as the vendor lists them. */
function readRecipients(given: unknown, envelopeSentAt: string | null): VendorRecipient[] {
  if (!isObject(given)) return [];
  return kinds
    .flatMap(([list, kind]) => {
      const listed = given[list];
      return Array.isArray(listed)
        ? listed.filter(isObject).map((one) => readRecipient(one, list, kind, envelopeSentAt))
        : [];
    })
    .sort((a, b) => a.order - b.order);
}

function readRecipient(
  given: Given,
  list: string,
  kind: 'signer' | 'cc',
  envelopeSentAt: string | null,
): VendorRecipient {
  const isInPerson = list === 'inPersonSigners';
  const email = cleanText(
    text(isInPerson ? (given.signerEmail ?? given.email) : given.email) ?? '',
    emailLengthMax + 1,
  );
  const name = isInPerson ? (given.signerName ?? given.name) : given.name;
  const phone = phoneOf(given.phoneNumber);
  return {
    name: cleanText(text(name) ?? email ?? '', nameLengthMax) ?? 'Without a name',
    email: email !== null && [...email].length <= emailLengthMax ? email : null,
    phone,
    role: kind === 'cc' ? 'cc' : roleOf(given.roleName),
    channel: isInPerson ? 'in_person' : given.deliveryMethod === 'SMS' && phone !== null ? 'sms' : 'email',
    order: orderOf(given.routingOrder),
    ...progressOf(given, kind, envelopeSentAt),
  };
}

/** What they have done is what their times say. Who was copied has nothing to do. */
function progressOf(given: Given, kind: 'signer' | 'cc', envelopeSentAt: string | null) {
  const sentAt = instant(given.sentDateTime) ?? envelopeSentAt;
  const viewedAt = instant(given.deliveredDateTime);
  const none = { sentAt, viewedAt, signedAt: null, declinedAt: null, declinedReason: null };
  if (kind === 'cc') return { ...none, status: 'sent' as const };
  const declinedAt = instant(given.declinedDateTime);
  if (declinedAt !== null) {
    const declinedReason = cleanText(text(given.declinedReason) ?? '', reasonLengthMax) ?? 'No reason was given.';
    return { ...none, declinedAt, declinedReason, status: 'declined' as const };
  }
  const signedAt = instant(given.signedDateTime);
  if (signedAt !== null) return { ...none, signedAt, status: 'signed' as const };
  return { ...none, status: viewedAt === null ? ('sent' as const) : ('viewed' as const) };
}

/** `cc` and `approver` mean something here that a name of the vendor's templates does not. */
function roleOf(given: unknown): string | null {
  const role = cleanText(text(given) ?? '', roleLengthMax);
  return role === 'cc' || role === 'approver' ? null : role;
}

function phoneOf(given: unknown): string | null {
  if (!isObject(given)) return null;
  const number = text(given.number);
  if (number === null) return null;
  const country = text(given.countryCode);
  const phone = cleanText(country === null ? number : `+${country.replace(/^\+/, '')} ${number}`, phoneLengthMax + 1);
  return phone !== null && [...phone].length <= phoneLengthMax ? phone : null;
}

function orderOf(given: unknown): number {
  const order = Number(given);
  return Number.isInteger(order) && order >= 1 && order <= orderMax ? order : 1;
}

/** RFC 3339 in UTC with milliseconds, of the years that the database and RFC 3339 know; the vendor writes seven digits. */
function instant(given: unknown): string | null {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(given)) return null;
  const time = new Date(given);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : null;
}

function text(given: unknown): string | null {
  return typeof given === 'string' ? given : null;
}

function isObject(given: unknown): given is Given {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
