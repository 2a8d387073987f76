import { ApiError } from '../errors.ts';
import type { CreateDocumentBody } from './create-document-body.ts';
import { type AuthLevel, type Channel, needsPhone } from './recipient.ts';

/** A recipient from a request body, with the defaults filled in. */
export interface NewRecipient {
  display_name: string;
  email: string | null;
  phone: string | null;
  party_role: string | null;
  channel: Channel;
  sign_order: number;
  auth_level: AuthLevel;
}

/** Fills in the defaults of a recipient. An empty phone or role counts as left out. */
export function newRecipient(input: CreateDocumentBody['recipients'][number], position: number): NewRecipient {
  return {
    display_name: input.name,
    email: input.email ?? null,
    phone: input.phone || null,
    party_role: input.role || null,
    channel: input.channel ?? 'email',
    sign_order: input.sign_order ?? position + 1,
    auth_level: input.auth_level ?? 'l0_email_link',
  };
}

/** Checks that only signers need an SMS code. Throws `invalid_auth_level` for a cc or an approver. */
export function assertCodeForSigner({ auth_level, party_role }: NewRecipient, index: number): void {
  if (auth_level === 'l1_email_sms_otp' && (party_role === 'cc' || party_role === 'approver')) {
    throw new ApiError('invalid_auth_level', { param: `recipients[${index}].auth_level` });
  }
}

/**
 * Checks the properties of a recipient against each other: it has the contact details for its channel and its level, and
 * only signers need a code. Throws an `ApiError` with the code of the first broken rule.
 */
export function assertConsistent(recipient: NewRecipient, index: number): void {
  const at = (field: string) => ({ param: `recipients[${index}].${field}` });
  if (recipient.channel === 'email' && recipient.email === null) {
    throw new ApiError('missing_recipient_email', at('email'));
  }
  assertCodeForSigner(recipient, index);
  if (needsPhone(recipient) && recipient.phone === null) throw new ApiError('missing_recipient_phone', at('phone'));
}
