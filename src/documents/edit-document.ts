import { ApiError } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import { assertUnsent } from './attach-file.ts';
import { appendAudit } from './audit.ts';
import type { EditDocumentBody } from './create-document-body.ts';
import type { Document, RestrictedKind } from './document.ts';
import { assertCodeForSigner, assertConsistent, newRecipient } from './new-recipient.ts';
import { listRecipients } from './queries.ts';
import type { Recipient } from './recipient.ts';
import { type EditedRecipient, removeFields, replaceRecipients } from './replace-recipients.ts';

type Words = Pick<
  Document,
  'title' | 'type' | 'primary_language' | 'message' | 'sign_order_mode' | 'expires_in_days' | 'recipient_count'
>;

/**
 * Gives an unsent document its words and parties anew, in place of those it has. With a party that is left out go its
 * fields, and with one that signs no more those it cannot fill in. A template's parties may lack what they are to be asked
 * at. Takes the locked document. Throws a `Refusal` for a document that was sent, and the codes of POST /documents.
 */
export async function editDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  body: EditDocumentBody,
): Promise<void> {
  assertUnsent(document);
  const present = await listRecipients(tx, document.account_id, document.id);
  const parties = partiesOf(world, body, present);
  parties.forEach(document.is_template ? assertCodeForSigner : assertConsistent);
  const words = wordsOf(document, body);
  const changes = changesOf(document, words, present, parties);
  if (changes.length === 0) return;

  const now = world.clock.now().toISOString();
  const fieldsRemoved = await removeFields(tx, document, parties);
  const detail = { changes, recipients: parties.length, fields_removed: fieldsRemoved };
  const [restrictedKind] = await Promise.all([
    updateWords(tx, document, words, now),
    ...replaceRecipients(tx, document, parties),
    appendAudit(tx, document, [{ at: now, actor, action: 'edited', detail }]),
  ]);
  Object.assign(document, words, { restricted_kind: restrictedKind, updated_at: now });
}

function partiesOf(world: World, body: EditDocumentBody, present: readonly Recipient[]): EditedRecipient[] {
  const known = new Set(present.map(({ id }) => id));
  return body.recipients.map((given, position) => {
    if (given.id !== undefined && !known.delete(given.id)) {
      throw new ApiError('invalid_recipients', { param: `recipients[${position}].id` });
    }
    return { id: given.id ?? world.newId(), ...newRecipient(given, position) };
  });
}

function wordsOf(document: Document, { title, type, primary_language, content, recipients }: EditDocumentBody): Words {
  return {
    title,
    type: type ?? document.type,
    primary_language: primary_language ?? document.primary_language,
    message: content?.message ?? null,
    sign_order_mode: content?.sign_order_mode ?? 'parallel',
    expires_in_days: content?.expires_in_days ?? null,
    recipient_count: recipients.length,
  };
}

/** The names of what is to be another. */
function changesOf(
  document: Document,
  words: Words,
  present: readonly Recipient[],
  parties: readonly EditedRecipient[],
): string[] {
  const { recipient_count: _counted, ...rest } = words;
  const names = Object.entries(rest).filter(([name, value]) => document[name as keyof Words] !== value);
  const isSame =
    present.length === parties.length &&
    present.every((recipient, index) => {
      const party = parties[index] as EditedRecipient;
      return Object.entries(party).every(([name, value]) => recipient[name as keyof EditedRecipient] === value);
    });
  return [...names.map(([name]) => name), ...(isSame ? [] : ['recipients'])];
}

/**
 * Another type that the company restricts makes a sensitive paper, as when a document is created. One that has its type
 * already stays as it is: the restriction was lifted, or the company restricts the type only since.
 */
async function updateWords(tx: Tx, document: Document, words: Words, now: string): Promise<RestrictedKind | null> {
  const [row] = await tx.query<{ restricted_kind: RestrictedKind | null }>({
    name: 'edit_document',
    text: `update documents d set title = $3, type = $4, primary_language = $5, message = $6, sign_order_mode = $7,
             expires_in_days = $8, recipient_count = $9, updated_at = $10,
             restricted_kind = coalesce(d.restricted_kind, case when d.type <> $4 and $4 = any (a.restricted_types) then 'other' end)
           from accounts a where a.id = d.account_id and d.account_id = $1 and d.id = $2 returning d.restricted_kind`,
    values: [
      document.account_id,
      document.id,
      words.title,
      words.type,
      words.primary_language,
      words.message,
      words.sign_order_mode,
      words.expires_in_days,
      words.recipient_count,
      now,
    ],
  });
  return row?.restricted_kind ?? null;
}
