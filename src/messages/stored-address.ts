import { canonicalEmail } from '../platform/canonical-email.ts';
import { dialable } from '../platform/dialable.ts';

/** Returns the address of a message in the form in which it is stored and found: see `canonicalEmail` and `dialable`. */
export function storedAddress(channel: 'email' | 'sms', contact: string | null): string | null {
  if (contact === null) return null;
  return (channel === 'sms' ? dialable(contact) : canonicalEmail(contact)) || null;
}

/** Returns what someone typed to find messages by, an e-mail address or a phone number, as it is stored. */
export function storedContact(typed: string): string {
  return typed.includes('@') ? canonicalEmail(typed) : dialable(typed);
}
