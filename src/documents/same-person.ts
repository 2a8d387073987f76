import { isSameEmail } from '../platform/canonical-email.ts';
import { isSameNumber } from '../platform/dialable.ts';
import type { Recipient } from './recipient.ts';

/** Whether messages to both go to the same address or number. */
export function isSamePerson(former: Recipient, recipient: Recipient): boolean {
  if (recipient.channel === 'sms') return isSamePhone(former.phone, recipient.phone);
  return isSameContact(former.email, recipient.email);
}

export function isSameContact(email: string | null, other: string | null): boolean {
  return email === other || (email !== null && other !== null && isSameEmail(email, other));
}

export function isSamePhone(phone: string | null, other: string | null): boolean {
  return phone === other || (phone !== null && other !== null && isSameNumber(phone, other));
}
