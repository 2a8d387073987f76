import { readAccountName } from '../accounts/manage-accounts.ts';
import { type Attachment, readAttachment } from '../documents/attachment.ts';
import { type Recipient, recipientKind } from '../documents/recipient.ts';
import type { Queryable } from '../postgres/database.ts';
import { disclosures, disclosureVersion } from './disclosure.ts';
import { showsFile } from './file-routes.ts';
import {
  type LockedPageView,
  type SigningState as PageState,
  renderLockedPage,
  renderSigningPage,
  type SigningPageView,
} from './pages/signing-page.ts';
import { emailHint } from './send-account-link.ts';
import { codeChannel, phoneEnding } from './send-code.ts';
import type { SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/** Where a page is shown. */
export type Place = Pick<SigningPageView, 'address' | 'isPreview'>;

/** The page of a session, as HTML. */
export async function renderSession(db: Queryable, session: SigningSession, place: Place): Promise<string> {
  const { id, account_id: accountId } = session.document;
  const accountName = await readAccountName(db, accountId);
  if (session.isLocked) return renderLockedPage(lockedView(session, place, accountName));
  const attachment = showsFile(session) ? await readAttachment(db, accountId, id) : null;
  return renderSigningPage(signingView(session, place, accountName, attachment));
}

/** What the page shows of a session: of the other parties their name and status, nothing more. */
function signingView(
  session: SigningSession,
  place: Place,
  accountName: string,
  attachment: Attachment | null,
): SigningPageView {
  const { document, recipients, reader, state } = session;
  const isInPerson = reader.channel === 'in_person';
  return {
    language: document.primary_language,
    ...place,
    accountName,
    testMode: document.sent_mode === 'test',
    isVerified: reader.auth_level === 'l1_email_sms_otp',
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
      kind: recipientKind(recipient),
      status: recipient.status,
      at: dateOrNull(lastStep(recipient)),
      isReader: recipient.id === reader.id,
    })),
    reader: { name: reader.display_name, kind: recipientKind(reader) },
    file: attachment && fileView(attachment, reader),
    handOver: isInPerson && reader.viewed_at === null && state.kind === 'open',
    isInPerson,
    account: accountAccess(session),
    disclosure: { version: disclosureVersion, ...disclosures[document.primary_language] },
    state: withDates(state),
  };
}

function accountAccess({ document, reader, state }: SigningSession): SigningPageView['account'] {
  if (state.kind !== 'needs_account') return null;
  return { address: emailHint(reader), isShown: codeChannel(document) === 'page' };
}

/** The pages, and of the fields the reader's own: what others fill in is theirs until all have signed. */
function fileView({ file, fields }: Attachment, reader: Recipient): SigningPageView['file'] {
  return {
    name: file.name,
    pages: file.pages.map(([width, height]) => ({ width, height })),
    fields: fields
      .filter((field) => field.recipient_id === reader.id)
      .map(({ id, type, page, x, y, width, height, required, label, value }) => {
        return { id, type, page, x, y, width, height, required, label, value };
      }),
  };
}

/** Before the reader has proved who it is: the title, who asks, and how it stands, without anybody's words about it. */
function lockedView({ document, reader, state }: SigningSession, place: Place, accountName: string): LockedPageView {
  return {
    language: document.primary_language,
    ...place,
    accountName,
    testMode: document.sent_mode === 'test',
    title: document.title,
    code: { phoneEnding: phoneEnding(reader), isShown: codeChannel(document) === 'page' },
    state: withDates('reason' in state ? { ...state, reason: null } : state),
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
