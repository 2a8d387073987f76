import type { Attachment } from '../documents/attachment.ts';
import { type Field, fullLabel, writtenValue } from '../documents/field.ts';
import { isDone, isSigner } from '../documents/recipient.ts';
import { isMarkKind, type MarkKind } from '../mark-kinds.ts';
import { texts } from '../page-texts/texts.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import type { Queryable } from '../postgres/database.ts';
import type { PageMark, ShownSigner, SigningPageView } from './pages/signing-page-view.ts';
import { listSignatures, type RecordedSignature, shownSha256, visibleFields } from './shown-signatures.ts';
import { SigningError } from './signing-error.ts';
import type { SigningSession } from './signing-session.ts';

type Shown = Pick<SigningPageView, 'shown'>['shown'];

/** Returns what the page shows of `signatures`, which are empty while the recipient may not see the document. */
export async function shownView(
  db: Queryable,
  session: SigningSession,
  signatures: readonly RecordedSignature[],
  attachment: Attachment | null,
  { address, language }: Pick<SigningPageView, 'address' | 'language'>,
): Promise<Shown> {
  const fields = attachment?.fields ?? [];
  const { recipients, recipient, state } = session;
  const hasInitials = fields.some(({ type, value }) => type === 'initials' && value !== null);
  const initials = hasInitials ? await listInitials(db, session) : new Map<string, string | null>();
  const signers = signatures.map((signature, index): ShownSigner => {
    const { recipientId, signedAs, at } = signature;
    const name = withoutDirectionOverrides(recipients.find(({ id }) => id === recipientId)?.display_name ?? '');
    const marks = `${address}/marks/${index + 1}`;
    const markOf = ({ type }: Field): PageMark | null => {
      if (signedAs === null && isMarkKind(type)) return erasedMark;
      if (type === 'signature') return signatureMark(signature, marks);
      if (type === 'stamp') return { kind: 'drawn', address: `${marks}/stamp` };
      return type === 'initials' ? initialsMark(initials.get(recipientId), marks) : null;
    };
    return {
      name,
      signedAs: signedAs === null ? name : withoutDirectionOverrides(signedAs),
      at: new Date(at),
      recipientId,
      isSelf: recipientId === recipient.id,
      signature: hasSignatureField(fields, recipientId) ? null : signatureMark(signature, marks),
      fields: visibleFields(fields, recipientId).map((field) => {
        const { type, page, x, y, width, height, value } = field;
        const label = withoutDirectionOverrides(fullLabel(field) ?? '') || null;
        const written = writtenValue(field, value ?? '', { numbers: texts[language].numbers, language });
        const shown = withoutDirectionOverrides(written);
        return { type, page, x, y, width, height, label, value: shown, mark: markOf(field) };
      }),
    };
  });
  const others = recipients.filter((other) => other.id !== recipient.id && isSigner(other));
  const isLive = state.kind === 'open' && others.some((other) => !isDone(other) && other.status !== 'pending');
  return { sha256: shownSha256(signatures, fields), signers, isLive };
}

/**
 * Returns the picture of a drawn signature, drawn initials or a stamp as PNG. `number`: the position among those who signed, from 1.
 * Throws `link_unknown` if the page doesn't show such a picture.
 */
export async function readMarkPicture(
  db: Queryable,
  session: SigningSession,
  attachment: Attachment | null,
  number: number,
  kind: MarkKind,
): Promise<Buffer> {
  const { document } = session;
  const signature = (await listSignatures(db, document))[number - 1];
  if (signature === undefined) throw new SigningError('link_unknown');
  const fields = attachment?.fields ?? [];
  const { recipientId } = signature;
  const isOnPage = visibleFields(fields, recipientId).some(({ type }) => type === kind);
  if (!isOnPage && (kind !== 'signature' || hasSignatureField(fields, recipientId))) {
    throw new SigningError('link_unknown');
  }
  const [row] = await db.query<{ png: Buffer | null }>({
    name: `read_${kind}_picture`,
    text: `select ${kind}_png as png from recipients where account_id = $1 and document_id = $2 and id = $3`,
    values: [document.account_id, document.id, recipientId],
  });
  if (!row?.png) throw new SigningError('link_unknown');
  return row.png;
}

/** Whether the recipient placed the signature on the file. It then isn't shown next to the name, because it may be private. */
function hasSignatureField(fields: readonly Field[], recipientId: string): boolean {
  return fields.some(
    ({ type, recipient_id, value }) => type === 'signature' && recipient_id === recipientId && value !== null,
  );
}

/** In place of the marks of an erased person. */
const erasedMark: PageMark = { kind: 'typed', text: '–' };

function signatureMark({ method, signedAs }: RecordedSignature, marks: string): PageMark | null {
  if (method === 'approval' || signedAs === null) return null;
  return method === 'typed'
    ? { kind: 'typed', text: withoutDirectionOverrides(signedAs) }
    : { kind: 'drawn', address: `${marks}/signature` };
}

function initialsMark(text: string | null | undefined, marks: string): PageMark {
  return text
    ? { kind: 'typed', text: withoutDirectionOverrides(text) }
    : { kind: 'drawn', address: `${marks}/initials` };
}

async function listInitials(db: Queryable, { document }: SigningSession): Promise<Map<string, string | null>> {
  const rows = await db.query<{ id: string; initials_text: string | null }>({
    name: 'list_initials',
    text: 'select id, initials_text from recipients where account_id = $1 and document_id = $2',
    values: [document.account_id, document.id],
  });
  return new Map(rows.map(({ id, initials_text }) => [id, initials_text]));
}
