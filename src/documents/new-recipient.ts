import { ApiError } from '../errors.ts';
import type { CreateDocumentBody } from './create-document-body.ts';
import type { AuthLevel, Channel } from './recipient.ts';

/** A recipient as it is asked for, with the defaults filled in. */
export interface NewRecipient {
  display_name: string;
  email: string | null;
  phone: string | null;
  party_role: string | null;
  channel: Channel;
  sign_order: number;
  auth_level: AuthLevel;
}

/** Fills in the defaults of decisions.md. An empty phone or role says nothing, so it counts as left out. */
export function newRecipient(given: CreateDocumentBody['recipients'][number], position: number): NewRecipient {
  return {
    display_name: given.name,
    email: given.email ?? null,
    phone: given.phone || null,
    party_role: given.role || null,
    channel: given.channel ?? 'email',
    sign_order: given.sign_order ?? position + 1,
    auth_level: given.auth_level ?? 'l0_email_link',
  };
}

/** Who can be asked for a code. Throws `invalid_auth_level`. */
export function assertCodeForSigner({ auth_level, party_role }: NewRecipient, index: number): void {
  if (auth_level === 'l1_email_sms_otp' && (party_role === 'cc' || party_role === 'approver')) {
    throw new ApiError('invalid_auth_level', { param: `recipients[${index}].auth_level` });
  }
}

/** The rules between the fields of one recipient: its channel's contact detail, and who can be asked for a code. */
export function assertConsistent(recipient: NewRecipient, index: number): void {
  const at = (field: string) => ({ param: `recipients[${index}].${field}` });
  if (recipient.channel === 'email' && recipient.email === null) {
    throw new ApiError('missing_recipient_email', at('email'));
  }
  assertCodeForSigner(recipient, index);
  const needsPhone = recipient.channel === 'sms' || recipient.auth_level === 'l1_email_sms_otp';
  if (needsPhone && recipient.phone === null) throw new ApiError('missing_recipient_phone', at('phone'));
}
