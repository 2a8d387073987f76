import { readAccountName } from '../accounts/manage-accounts.ts';
import { partyKind, type Recipient } from '../documents/recipient.ts';
import type { Queryable } from '../postgres/database.ts';
import type { SigningState as PageState, SigningPageView } from './pages/signing-page.ts';
import type { SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/** What the page shows of a session: of the other parties their name and status, nothing more. */
export async function signingView(db: Queryable, session: SigningSession, token: string): Promise<SigningPageView> {
  const { document, recipients, reader, state } = session;
  return {
    language: document.primary_language,
    token,
    accountName: await readAccountName(db, document.account_id),
    testMode: document.sent_mode === 'test',
    document: {
      id: document.id,
      title: document.title,
      type: document.type,
      message: document.message,
      sentAt: dateOrNull(document.sent_at),
      expiresAt: dateOrNull(document.expires_at),
    },
    parties: recipients.map((recipient) => ({
      name: recipient.display_name,
      role: recipient.party_role,
      kind: partyKind(recipient),
      status: recipient.status,
      at: dateOrNull(lastStep(recipient)),
      isReader: recipient.id === reader.id,
    })),
    reader: { name: reader.display_name, kind: partyKind(reader) },
    state: withDates(state),
  };
}

function lastStep(recipient: Recipient): string | null {
  return recipient.declined_at ?? recipient.signed_at ?? recipient.viewed_at ?? recipient.sent_at;
}

function dateOrNull(at: string | null): Date | null {
  return at === null ? null : new Date(at);
}

function withDates(state: SigningState): PageState {
  return 'at' in state ? { ...state, at: new Date(state.at) } : state;
}
