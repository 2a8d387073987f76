import { type Document, expiryOf } from '../documents/document.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { SigningSession } from './signing-session.ts';
import { signingStateOf } from './signing-state.ts';

/** What comes before the document for whoever has to prove who it is, or is handed a device; or the document itself. */
export type PreviewStep = 'first' | 'document';

/**
 * What a party's link would lead to, had the document been sent now and the party's turn come: no link is made, and
 * nothing is recorded.
 */
export function previewSession(
  unsent: Document,
  parties: readonly Recipient[],
  party: Recipient,
  step: PreviewStep,
  now: Date,
): SigningSession {
  const at = now.toISOString();
  const expiresAt = expiryOf(unsent, now)?.toISOString() ?? null;
  const document: Document = { ...unsent, status: 'sent', sent_mode: 'live', sent_at: at, expires_at: expiresAt };
  const isFirst = step === 'first';
  const recipients = parties.map((recipient) =>
    recipient.id === party.id ? asked(recipient, at, isFirst) : asTheirTurnHasIt(document, recipient, party, at),
  );
  const reader = recipients.find(({ id }) => id === party.id) as Recipient;
  const lacks = {
    code: isFirst && reader.auth_level === 'l1_email_sms_otp',
    account: isFirst && reader.auth_level === 'l0_account_session',
  };
  const state = signingStateOf(document, recipients, reader, lacks, now);
  return { document, recipients, reader, isLocked: lacks.code, lacks, state };
}

/** Whoever signs on the device of another has the document from when the device is in their hands. */
function asked(recipient: Recipient, at: string, isFirst: boolean): Recipient {
  const hasBegun = recipient.channel === 'in_person' && !isFirst;
  return { ...recipient, status: hasBegun ? 'viewed' : 'sent', sent_at: at, viewed_at: hasBegun ? at : null };
}

/** In turn, those before have signed, and those after were not asked. */
function asTheirTurnHasIt(document: Document, recipient: Recipient, party: Recipient, at: string): Recipient {
  if (recipient.party_role === 'cc') return recipient;
  const turns = document.sign_order_mode === 'sequential' ? recipient.sign_order - party.sign_order : 0;
  if (turns > 0) return recipient;
  const sent: Recipient = { ...recipient, status: 'sent', sent_at: at };
  return turns < 0 ? { ...sent, status: 'signed', signed_at: at } : sent;
}
