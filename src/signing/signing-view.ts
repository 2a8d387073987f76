import { readAccountName } from '../accounts/manage-accounts.ts';
import { readBrand } from '../branding/brand.ts';
import { type Attachment, readAttachment } from '../documents/attachment.ts';
import type { Result } from '../documents/calculate.ts';
import { referencesOf } from '../documents/check-formulas.ts';
import { type DocumentPart, readParts, titleOf } from '../documents/document-part.ts';
import type { Field } from '../documents/field.ts';
import { type FieldFile, listFieldFiles } from '../documents/field-file.ts';
import { type Recipient, recipientKind } from '../documents/recipient.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import type { Queryable } from '../postgres/database.ts';
import { calculateOwn } from './calculate-own.ts';
import { mayComment } from './comment.ts';
import { mayDelegate } from './delegate.ts';
import { consentStatement, currentDisclosure, disclosureVersion } from './disclosure.ts';
import type { FilePages } from './file-pages.ts';
import { showsFile } from './file-routes.ts';
import { pageBrand } from './page-brand.ts';
import type { Calculation } from './pages/calculation-words.ts';
import {
  type LockedPageView,
  type SigningState as PageState,
  renderLockedPage,
  renderSigningPage,
  type SigningPageView,
} from './pages/signing-page.ts';
import { findSealedPages } from './sealed-pages.ts';
import { emailHint } from './send-account-link.ts';
import { codeChannel, phoneEnding } from './send-code.ts';
import { listSignatures } from './shown-signatures.ts';
import { shownView } from './shown-view.ts';
import type { SigningSession } from './signing-session.ts';
import type { SigningState } from './signing-state.ts';

/** The address of a page, whether it is a preview, and its language. */
export type Place = Pick<SigningPageView, 'address' | 'isPreview' | 'language' | 'offersSaved'>;

/** Renders the page of a session as HTML. */
export async function renderSession(
  db: Queryable,
  pages: Pick<FilePages, 'sizesSoon'>,
  session: SigningSession,
  place: Place,
): Promise<string> {
  const view = await sessionView(db, pages, session, place);
  return 'document' in view ? renderSigningPage(view) : renderLockedPage(view);
}

/** Returns what the page of a session shows. */
export async function sessionView(
  db: Queryable,
  pages: Pick<FilePages, 'sizesSoon'>,
  session: SigningSession,
  place: Place,
): Promise<SigningPageView | LockedPageView> {
  const { id, account_id: accountId } = session.document;
  const company = await readCompany(db, accountId);
  if (session.isLocked) return lockedView(session, place, company);
  // Read before the fields, so that their values are complete for everyone in this list.
  const signatures = showsFile(session) ? await listSignatures(db, session.document) : [];
  const attachment = showsFile(session) ? await readAttachment(db, accountId, id) : null;
  const parts = attachment === null ? [] : await readParts(db, accountId, id);
  const hasUploads = attachment?.fields.some(({ type }) => type === 'upload') === true;
  const uploads = hasUploads ? await listFieldFiles(db, session.document) : [];
  const shown = await shownView(db, session, signatures, attachment, place);
  const view = {
    ...signingView(session, place, company, attachment && { ...attachment, parts, uploads }, shown),
    ...(await mayDo(db, session, place)),
  };
  const sealed = await findSealedPages(session, pages);
  if (sealed === null) return view;
  const file = { name: view.document.title, part: 'sealed' as const, pages: sealed.pages, fields: [] };
  return { ...view, file };
}

/** A preview offers no other page. */
async function mayDo(db: Queryable, session: SigningSession, { isPreview }: Place) {
  if (isPreview) return { mayDelegate: false, mayComment: false };
  return { mayDelegate: await mayDelegate(db, session), mayComment: await mayComment(db, session) };
}

/** The company as its recipients see it. */
type Company = Pick<SigningPageView, 'accountName' | 'brand'>;

async function readCompany(db: Queryable, accountId: string): Promise<Company> {
  const [accountName, brand] = await Promise.all([readAccountName(db, accountId), readBrand(db, accountId)]);
  return { accountName, brand: pageBrand(brand) };
}

/** Returns what the page shows. */
function signingView(
  session: SigningSession,
  place: Place,
  company: Company,
  attachment: AttachmentWithParts | null,
  shown: SigningPageView['shown'],
): Omit<SigningPageView, 'mayDelegate' | 'mayComment'> {
  const { document, recipients, recipient, state } = session;
  const isInPerson = recipient.channel === 'in_person';
  return {
    ...place,
    documentLanguage: document.primary_language,
    ...company,
    testMode: document.sent_mode === 'test',
    isVerified: recipient.auth_level === 'l1_email_sms_otp',
    document: {
      id: document.id,
      title: withoutDirectionOverrides(document.title),
      type: document.type,
      message: document.message && withoutDirectionOverrides(document.message),
      sentAt: dateOrNull(document.sent_at),
      expiresAt: dateOrNull(document.expires_at),
    },
    recipients: recipients.map((each) => ({
      name: withoutDirectionOverrides(each.display_name),
      role: each.party_role && withoutDirectionOverrides(each.party_role),
      kind: recipientKind(each),
      status: each.status,
      at: dateOrNull(lastStep(each)),
      isSelf: each.id === recipient.id,
      signed: shown.signers.find(({ recipientId }) => recipientId === each.id) ?? null,
    })),
    recipient: { name: withoutDirectionOverrides(recipient.display_name), kind: recipientKind(recipient) },
    file: attachment && fileView(attachment, session),
    shown,
    handOver: isInPerson && recipient.viewed_at === null && state.kind === 'open',
    isInPerson,
    disclosure: { version: disclosureVersion, ...currentDisclosure(document.primary_language, document) },
    consentStatement: document.asks_consent ? consentStatement[document.primary_language] : null,
    state: shownState(state),
  };
}

function accountAccess({ document, recipient, state }: SigningSession): LockedPageView['account'] {
  if (state.kind !== 'needs_account') return null;
  return { address: emailHint(recipient), isShown: codeChannel(document) === 'page' };
}

type AttachmentWithParts = Attachment & { parts: readonly DocumentPart[]; uploads: readonly FieldFile[] };

/** Returns the file's pages and the recipient's own fields. Several files together are called as the document is. */
function fileView(
  { file, fields, parts, uploads }: AttachmentWithParts,
  { document, recipient }: SigningSession,
): SigningPageView['file'] {
  const own = fields.filter((field) => field.recipient_id === recipient.id);
  const results = calculateOwn(
    own.map((field) => (field.is_fixed ? { ...field, value: field.preset } : field)),
    fields,
  );
  return {
    name: withoutDirectionOverrides(parts.length === 0 ? file.name : document.title),
    part: 'pages',
    pages: file.pages.map(([width, height]) => ({ width, height })),
    ...(parts.length > 0 && {
      parts: parts.map(({ name, first_page }) => ({
        title: withoutDirectionOverrides(titleOf(name)),
        firstPage: first_page,
      })),
    }),
    fields: own.map((field) => {
      const { id, type, page, x, y, width, height, required, options, is_fixed: isFixed } = field;
      const label = field.label && withoutDirectionOverrides(field.label);
      const calculation = calculationOf(field, fields, results.get(field.id) ?? null);
      const { number_min, number_max, decimals, date_format: dateFormat, text_format: textFormat } = field;
      const numberRules = type === 'number' ? { number_min, number_max, decimals } : null;
      const formats = { dateFormat, textFormat };
      const rules = { isFixed, numberRules, options, group: field.group_name, ...formats, position: field.position };
      const condition =
        field.condition_position === null
          ? null
          : { position: field.condition_position, value: field.condition_value ?? '' };
      const held = calculation === null ? (isFixed ? field.preset : field.value) : (calculation.result?.value ?? null);
      const value = type === 'text' && held !== null ? withoutDirectionOverrides(held) : held;
      const upload = uploads.find(({ field_id }) => field_id === id);
      const own = upload ? { id: upload.id, name: upload.name, bytes: upload.bytes } : null;
      const place = { page, x, y, width, height };
      return { id, type, ...place, required, label, ...rules, condition, calculation, file: own, value };
    }),
  };
}

/** Returns how a field is calculated. Others' private numbers are left out, also if a formula should refer to them. */
function calculationOf(field: Field, all: readonly Field[], result: Result | null): Calculation | null {
  if (field.formula === null) return null;
  const uses = new Set(referencesOf(field));
  const others = all.filter(
    (other) => uses.has(other.position) && other.recipient_id !== field.recipient_id && !other.is_private,
  );
  return {
    formula: field.formula,
    others: Object.fromEntries(
      others.map(({ position, value, label }) => [
        position,
        { value, name: label && withoutDirectionOverrides(label) },
      ]),
    ),
    result,
  };
}

/** Returns what is shown before the recipient is identified: title, sender and state, without anyone's message or reason. */
function lockedView(session: SigningSession, place: Place, company: Company): LockedPageView {
  const { document, recipient, state } = session;
  return {
    ...place,
    documentLanguage: document.primary_language,
    ...company,
    testMode: document.sent_mode === 'test',
    title: withoutDirectionOverrides(document.title),
    code: { phoneEnding: phoneEnding(recipient), isShown: codeChannel(document) === 'page' },
    account: accountAccess(session),
    state: shownState('reason' in state ? { ...state, reason: null } : state),
  };
}

function lastStep(recipient: Recipient): string | null {
  return recipient.declined_at ?? recipient.signed_at ?? recipient.viewed_at ?? recipient.sent_at;
}

function dateOrNull(at: string | null): Date | null {
  return at === null ? null : new Date(at);
}

function shownState(state: SigningState): PageState {
  const shown =
    'reason' in state && state.reason !== null ? { ...state, reason: withoutDirectionOverrides(state.reason) } : state;
  return 'at' in shown ? { ...shown, at: new Date(shown.at) } : shown;
}
