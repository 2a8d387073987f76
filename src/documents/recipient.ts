import type { Timestamp } from '../postgres/timestamp.ts';

/** A recipient: its shape, and whose turn it is. Nothing here reads or writes the database. */
export const channels = ['email', 'sms', 'in_person'] as const;
export const authLevels = ['l0_email_link', 'l1_email_sms_otp', 'l0_account_session'] as const;

export type Channel = (typeof channels)[number];
export type AuthLevel = (typeof authLevels)[number];
export type RecipientStatus = 'pending' | 'sent' | 'viewed' | 'signed' | 'declined';
export type SignOrderMode = 'sequential' | 'parallel';
export type RecipientKind = 'signer' | 'approver' | 'cc';

/** One row of `recipients`, without the columns that only sealing reads. */
export interface Recipient {
  id: string;
  account_id: string;
  document_id: string;
  position: number;
  display_name: string;
  email: string | null;
  phone: string | null;
  party_role: string | null;
  channel: Channel;
  sign_order: number;
  auth_level: AuthLevel;
  status: RecipientStatus;
  sent_at: Timestamp | null;
  viewed_at: Timestamp | null;
  signed_at: Timestamp | null;
  declined_at: Timestamp | null;
  declined_reason: string | null;
  /** The number of the current person: 1, and one more after each reassignment. */
  holder: number;
}

/** The name of recipients whose personal data was erased. */
export const erasedName = 'Erased person';
/** Takes the place of texts, numbers and choices that were erased. */
export const erasedText = '-';

export function isErased({ display_name, email, phone }: Recipient): boolean {
  return display_name === erasedName && email === null && phone === null;
}

/** Returns how the recipient takes part. Every role but `approver` and `cc` signs. */
export function recipientKind(recipient: Pick<Recipient, 'party_role'>): RecipientKind {
  if (recipient.party_role === 'cc') return 'cc';
  return recipient.party_role === 'approver' ? 'approver' : 'signer';
}

/** In characters. */
export const roleLengthMax = 60;

/**
 * Returns the role of a signer who is only a role in a template, such as Tenant: its name. Null for the name of a role that doesn't
 * sign, so that the signer stays one.
 */
export function roleFromName(name: string): string | null {
  const role = [...name].slice(0, roleLengthMax).join('').trim();
  return recipientKind({ party_role: role }) === 'signer' ? role : null;
}

/** Returns whether the recipient must sign or approve, that is, gets more than a copy. */
export function isSigner(recipient: Pick<Recipient, 'party_role'>): boolean {
  return recipient.party_role !== 'cc';
}

export function isDone(recipient: Recipient): boolean {
  return recipient.status === 'signed';
}

type Reached = Pick<Recipient, 'channel' | 'auth_level'>;

/** Returns whether the person needs an e-mail address, for the link or to sign in with. */
export function needsEmail({ channel, auth_level }: Reached): boolean {
  return channel === 'email' || auth_level === 'l0_account_session';
}

/** Returns whether the person needs a phone number, for the link or the code. */
export function needsPhone({ channel, auth_level }: Reached): boolean {
  return channel === 'sms' || auth_level === 'l1_email_sms_otp';
}

/**
 * Returns whether a document can't be sent to the recipient: the e-mail address of the channel, or the phone number, is missing. An
 * address to sign in with may be missing, as the API says.
 */
export function lacksContact(recipient: Recipient): boolean {
  if (recipient.channel === 'email' && !recipient.email) return true;
  return needsPhone(recipient) && !recipient.phone;
}

/**
 * Returns the recipients whose turn it is and who got no request yet. Parallel: all who sign or approve. Sequential: those
 * with the lowest `sign_order` that is not done. Recipients with the same `sign_order` sign at the same time. A `cc` never
 * delays others.
 */
export function nextInTurn(recipients: readonly Recipient[], mode: SignOrderMode): Recipient[] {
  const open = recipients.filter((recipient) => isSigner(recipient) && !isDone(recipient));
  if (mode === 'parallel') return open.filter((recipient) => recipient.status === 'pending');
  const lowest = Math.min(...open.map((recipient) => recipient.sign_order));
  return open.filter((recipient) => recipient.status === 'pending' && recipient.sign_order === lowest);
}
