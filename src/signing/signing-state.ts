import { type CopyStatus, copyStatus } from '../documents/completed-file.ts';
import { type Document, hasExpired } from '../documents/document.ts';
import { isDone, type Recipient, recipientKind } from '../documents/recipient.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** What a recipient's link shows, and whether the recipient may sign. The page and each change use the same decision. */
export type SigningState =
  | { kind: 'open' }
  | { kind: 'waiting' }
  /** The document, or its completed copy, is shown after a code by SMS. */
  | { kind: 'needs_code'; opens: 'document' | 'copy' }
  /** The document, or its completed copy, is shown after a sign-in. */
  | { kind: 'needs_account'; opens: 'document' | 'copy' }
  | { kind: 'signed'; at: Timestamp }
  | { kind: 'approved'; at: Timestamp }
  | { kind: 'completed'; at: Timestamp; copy: CopyStatus }
  | { kind: 'declined'; at: Timestamp; bySelf: boolean; reason: string | null }
  | { kind: 'voided'; reason: string | null }
  | { kind: 'expired'; at: Timestamp }
  | { kind: 'copy' };

/** What the recipient must still do to be identified. */
export interface Needs {
  /** A code opens nothing while others sign, or after the document ended without being completed. */
  code: boolean;
  /** The recipient must sign in with their e-mail address. */
  account: boolean;
}

export function signingStateOf(
  document: Document,
  recipients: readonly Recipient[],
  recipient: Recipient,
  needs: Needs,
  now: Date,
): SigningState {
  switch (document.status) {
    case 'voided':
      return { kind: 'voided', reason: document.voided_reason };
    case 'declined':
      return declinedState(document, recipients, recipient);
    case 'completed':
      if (needs.code) return { kind: 'needs_code', opens: 'copy' };
      if (needs.account) return { kind: 'needs_account', opens: 'copy' };
      return { kind: 'completed', at: document.completed_at as Timestamp, copy: copyStatus(document) };
    case 'expired':
      return { kind: 'expired', at: document.expires_at as Timestamp };
    case 'draft':
    case 'in_review':
      return { kind: 'waiting' };
    case 'sent':
    case 'partially_signed':
      if (hasExpired(document, now)) return { kind: 'expired', at: document.expires_at as Timestamp };
      return turnOf(recipient, needs);
  }
}

function turnOf(recipient: Recipient, needs: Needs): SigningState {
  const kind = recipientKind(recipient);
  if (kind === 'cc') return { kind: 'copy' };
  if (isDone(recipient))
    return { kind: kind === 'approver' ? 'approved' : 'signed', at: recipient.signed_at as Timestamp };
  if (recipient.status === 'pending') return { kind: 'waiting' };
  if (needs.code) return { kind: 'needs_code', opens: 'document' };
  if (needs.account) return { kind: 'needs_account', opens: 'document' };
  return { kind: 'open' };
}

/** Only the recipient who declined sees the reason. */
function declinedState(document: Document, recipients: readonly Recipient[], recipient: Recipient): SigningState {
  const decliner = recipients.find((recipient) => recipient.status === 'declined');
  const bySelf = decliner?.id === recipient.id;
  return {
    kind: 'declined',
    at: decliner?.declined_at ?? document.updated_at,
    bySelf,
    reason: bySelf ? recipient.declined_reason : null,
  };
}
