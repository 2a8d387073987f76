import { hasCompletedFile } from '../documents/completed-file.ts';
import { type Document, hasExpired } from '../documents/document.ts';
import { isDone, type Recipient, recipientKind } from '../documents/recipient.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** What a recipient's link shows, and whether it may sign now: decided in one place, for the page and under the lock alike. */
export type SigningState =
  | { kind: 'open' }
  | { kind: 'waiting' }
  /** A code by SMS comes first: before the document is shown, or the completed copy of it. */
  | { kind: 'needs_code'; opens: 'document' | 'copy' }
  /** A sign-in comes first: before signing, or before the completed copy. */
  | { kind: 'needs_account'; opens: 'document' | 'copy' }
  | { kind: 'signed'; at: Timestamp }
  | { kind: 'approved'; at: Timestamp }
  | { kind: 'completed'; at: Timestamp; copyReady: boolean }
  | { kind: 'declined'; at: Timestamp; byReader: boolean; reason: string | null }
  | { kind: 'voided'; reason: string | null }
  | { kind: 'expired'; at: Timestamp }
  | { kind: 'copy' };

/** What a reader has yet to do to prove who it is: nothing, when both are false. */
export interface Lacks {
  /** There is nothing that a code would open while others sign, nor in a document that ended without being completed. */
  code: boolean;
  /** To be signed in with the recipient's e-mail address. */
  account: boolean;
}

export function signingStateOf(
  document: Document,
  recipients: readonly Recipient[],
  reader: Recipient,
  lacks: Lacks,
  now: Date,
): SigningState {
  switch (document.status) {
    case 'voided':
      return { kind: 'voided', reason: document.voided_reason };
    case 'declined':
      return declinedState(document, recipients, reader);
    case 'completed':
      if (lacks.code) return { kind: 'needs_code', opens: 'copy' };
      if (lacks.account) return { kind: 'needs_account', opens: 'copy' };
      return { kind: 'completed', at: document.completed_at as Timestamp, copyReady: hasCompletedFile(document) };
    case 'expired':
      return { kind: 'expired', at: document.expires_at as Timestamp };
    case 'draft':
    case 'in_review':
      return { kind: 'waiting' };
    case 'sent':
    case 'partially_signed':
      if (hasExpired(document, now)) return { kind: 'expired', at: document.expires_at as Timestamp };
      return turnOf(reader, lacks);
  }
}

function turnOf(reader: Recipient, lacks: Lacks): SigningState {
  const kind = recipientKind(reader);
  if (kind === 'cc') return { kind: 'copy' };
  if (isDone(reader)) return { kind: kind === 'approver' ? 'approved' : 'signed', at: reader.signed_at as Timestamp };
  if (reader.status === 'pending') return { kind: 'waiting' };
  if (lacks.code) return { kind: 'needs_code', opens: 'document' };
  if (lacks.account) return { kind: 'needs_account', opens: 'document' };
  return { kind: 'open' };
}

/** Only the one who declined is shown the reason they gave. */
function declinedState(document: Document, recipients: readonly Recipient[], reader: Recipient): SigningState {
  const decliner = recipients.find((recipient) => recipient.status === 'declined');
  const byReader = decliner?.id === reader.id;
  return {
    kind: 'declined',
    at: decliner?.declined_at ?? document.updated_at,
    byReader,
    reason: byReader ? reader.declined_reason : null,
  };
}
