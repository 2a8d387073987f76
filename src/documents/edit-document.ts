import type { Actor } from '../actor.ts';
import { ApiError } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertUnsent } from './attach-file.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import { checkFormulas } from './check-formulas.ts';
import type { EditDocumentBody } from './create-document-body.ts';
import type { Document, RestrictedKind } from './document.ts';
import { assertCodeForSigner, assertConsistent, newRecipient } from './new-recipient.ts';
import { listRecipients } from './queries.ts';
import type { Recipient } from './recipient.ts';
import { type EditedRecipient, removeFields, replaceRecipients } from './replace-recipients.ts';

type Details = Pick<
  Document,
  | 'title'
  | 'type'
  | 'primary_language'
  | 'message'
  | 'sign_order_mode'
  | 'expires_in_days'
  | 'reminder_days'
  | 'expiry_reminder_days'
  | 'recipient_count'
>;

/**
 * Replaces the details and recipients of an unsent document. Deletes the fields of removed recipients, and the fields that
 * a recipient can no longer fill in. The recipients of a template may lack contact details. The caller holds the document's
 * lock. Throws a `Refusal` if the document was sent, a `FormulaRefusal` if a calculated field would use a number that it
 * can't use, and the error codes of POST /documents.
 */
export async function editDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  body: EditDocumentBody,
): Promise<void> {
  assertUnsent(document);
  const present = await listRecipients(tx, document.account_id, document.id);
  const recipients = recipientsOf(world, body, present);
  recipients.forEach(document.is_template ? assertCodeForSigner : assertConsistent);
  const details = detailsOf(document, body);
  const changes = changesOf(document, details, present, recipients);
  if (changes.length === 0) return;

  const now = world.clock.now().toISOString();
  const fieldsRemoved = await removeFields(tx, document, recipients);
  await assertFormulasHold(tx, document, recipients, details.sign_order_mode);
  const detail = { changes, recipients: recipients.length, fields_removed: fieldsRemoved };
  const [restrictedKind] = await Promise.all([
    updateDetails(tx, document, details, now),
    ...replaceRecipients(tx, document, recipients),
    appendAudit(tx, document, [{ at: now, actor, action: 'edited', detail }]),
  ]);
  Object.assign(document, details, { restricted_kind: restrictedKind, updated_at: now });
}

/** Refuses recipients and an order in which a calculated field would use removed fields, or numbers that aren't final. */
async function assertFormulasHold(
  tx: Tx,
  document: Document,
  recipients: readonly EditedRecipient[],
  mode: Document['sign_order_mode'],
): Promise<void> {
  const fields = (await readAttachment(tx, document.account_id, document.id))?.fields ?? [];
  checkFormulas(fields, recipients, mode);
}

function recipientsOf(world: World, body: EditDocumentBody, present: readonly Recipient[]): EditedRecipient[] {
  const known = new Set(present.map(({ id }) => id));
  return body.recipients.map((input, position) => {
    if (input.id !== undefined && !known.delete(input.id)) {
      throw new ApiError('invalid_recipients', { param: `recipients[${position}].id` });
    }
    return { id: input.id ?? world.newId(), ...newRecipient(input, position) };
  });
}

function detailsOf(
  document: Document,
  { title, type, primary_language, content, recipients, reminders = document }: EditDocumentBody,
): Details {
  return {
    title,
    type: type ?? document.type,
    primary_language: primary_language ?? document.primary_language,
    message: content?.message ?? null,
    sign_order_mode: content?.sign_order_mode ?? 'parallel',
    expires_in_days: content?.expires_in_days ?? null,
    reminder_days: reminders.reminder_days,
    expiry_reminder_days: reminders.expiry_reminder_days,
    recipient_count: recipients.length,
  };
}

/** Returns the names of the properties that change. */
function changesOf(
  document: Document,
  details: Details,
  present: readonly Recipient[],
  recipients: readonly EditedRecipient[],
): string[] {
  const { recipient_count: _counted, reminder_days, expiry_reminder_days, ...rest } = details;
  const remindsAsBefore =
    expiry_reminder_days === document.expiry_reminder_days && String(reminder_days) === String(document.reminder_days);
  const names = Object.entries(rest).filter(([name, value]) => document[name as keyof Details] !== value);
  const isSame =
    present.length === recipients.length &&
    present.every((recipient, index) => {
      const edited = recipients[index] as EditedRecipient;
      return Object.entries(edited).every(([name, value]) => recipient[name as keyof EditedRecipient] === value);
    });
  return [...names.map(([name]) => name), ...(remindsAsBefore ? [] : ['reminders']), ...(isSame ? [] : ['recipients'])];
}

/**
 * Updates the document's row. A new type that the account restricts makes the document restricted, as on creation. An
 * unchanged type restricts nothing: the restriction was lifted, or the account restricted the type later.
 */
async function updateDetails(
  tx: Tx,
  document: Document,
  details: Details,
  now: string,
): Promise<RestrictedKind | null> {
  const [row] = await tx.query<{ restricted_kind: RestrictedKind | null }>({
    name: 'edit_document',
    text: `update documents d set title = $3, type = $4, primary_language = $5, message = $6, sign_order_mode = $7,
             expires_in_days = $8, recipient_count = $9, updated_at = $10, reminder_days = $11, expiry_reminder_days = $12,
             restricted_kind = coalesce(d.restricted_kind, case when d.type <> $4 and $4 = any (a.restricted_types) then 'other' end)
           from accounts a where a.id = d.account_id and d.account_id = $1 and d.id = $2 returning d.restricted_kind`,
    values: [
      document.account_id,
      document.id,
      details.title,
      details.type,
      details.primary_language,
      details.message,
      details.sign_order_mode,
      details.expires_in_days,
      details.recipient_count,
      now,
      details.reminder_days,
      details.expiry_reminder_days,
    ],
  });
  return row?.restricted_kind ?? null;
}
