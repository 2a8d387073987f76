import type { Channel, RecipientStatus } from '../../documents/recipient.ts';
import { emailLengthMax } from '../../platform/email-address.ts';
import { cleanText } from '../title-of.ts';
import { instant, isObject, text, type VendorObject } from './vendor-values.ts';

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

const nameLengthMax = 120;
const phoneLengthMax = 40;
const roleLengthMax = 60;
const reasonLengthMax = 1000;
const orderMax = 2_147_483_647;

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

/** Counts the recipients of an envelope in DocuSign's format. */
export function countRecipients(given: unknown): number {
  const recipients = isObject(given) ? given.recipients : null;
  if (!isObject(recipients)) return 0;
  return kinds.reduce((count, [list]) => count + (Array.isArray(recipients[list]) ? recipients[list].length : 0), 0);
}

/** Returns the recipients in signing order. Those with the same number stay in the vendor's order. */
export function readRecipients(given: unknown, envelopeSentAt: string | null): VendorRecipient[] {
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
  given: VendorObject,
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

/** Derives the status from the recipient's times. A copied recipient (`cc`) has nothing to do. */
function progressOf(given: VendorObject, kind: 'signer' | 'cc', envelopeSentAt: string | null) {
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

/** `cc` and `approver` have a meaning here that the same role name in a vendor's template doesn't have. */
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
