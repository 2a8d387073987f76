import type { ConsentTerms } from '../accounts/signing-settings.ts';
import { type Document, expiryOf } from '../documents/document.ts';
import type { Recipient } from '../documents/recipient.ts';
import type { SigningSession } from './signing-session.ts';
import { signingStateOf } from './signing-state.ts';

/** The page to preview. `first` is identity verification or the device handover; `document` is the document itself. */
export type PreviewStep = 'first' | 'document';

/**
 * Returns the session a recipient would see if the document were sent now and it were their turn. `terms`: the company's
 * settings now.
 *
 * Creates no link and records nothing.
 */
export function previewSession(
  unsent: Document,
  terms: ConsentTerms,
  allRecipients: readonly Recipient[],
  previewed: Recipient,
  step: PreviewStep,
  now: Date,
): SigningSession {
  const at = now.toISOString();
  const expiresAt = expiryOf(unsent, now)?.toISOString() ?? null;
  const document: Document = {
    ...unsent,
    ...terms,
    status: 'sent',
    sent_mode: 'live',
    sent_at: at,
    expires_at: expiresAt,
  };
  const isFirst = step === 'first';
  const recipients = allRecipients.map((recipient) =>
    recipient.id === previewed.id
      ? asSent(recipient, at, isFirst)
      : atPreviewedTurn(document, recipient, previewed, at),
  );
  const recipient = recipients.find(({ id }) => id === previewed.id) as Recipient;
  const needs = {
    code: isFirst && recipient.auth_level === 'l1_email_sms_otp',
    account: isFirst && recipient.auth_level === 'l0_account_session',
  };
  const state = signingStateOf(document, recipients, recipient, needs, now);
  return { document, recipients, recipient, isLocked: needs.code || needs.account, needs, state };
}

/** Marks the recipient as sent. An in-person recipient has viewed the document once they have the device. */
function asSent(recipient: Recipient, at: string, isFirst: boolean): Recipient {
  const hasBegun = recipient.channel === 'in_person' && !isFirst;
  return { ...recipient, status: hasBegun ? 'viewed' : 'sent', sent_at: at, viewed_at: hasBegun ? at : null };
}

/** Sets another recipient's status. In sequential order, earlier recipients have signed and later ones are not yet sent. */
function atPreviewedTurn(document: Document, recipient: Recipient, previewed: Recipient, at: string): Recipient {
  if (recipient.party_role === 'cc') return recipient;
  const turns = document.sign_order_mode === 'sequential' ? recipient.sign_order - previewed.sign_order : 0;
  if (turns > 0) return recipient;
  const sent: Recipient = { ...recipient, status: 'sent', sent_at: at };
  return turns < 0 ? { ...sent, status: 'signed', signed_at: at } : sent;
}
