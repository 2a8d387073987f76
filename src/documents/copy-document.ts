import type { Actor } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { recordAttachment } from './attach-file.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { appendAudit, chainEntry, documentsChannel, emptyChain } from './audit.ts';
import type { Document } from './document.ts';
import { type DocumentPart, readParts } from './document-part.ts';
import type { Field } from './field.ts';
import { insertRecipients, recipientColumns } from './insert-recipients.ts';
import { listRecipients, lockDocument } from './queries.ts';
import { erasedText, isErased, type Recipient } from './recipient.ts';
import { retainFiles } from './stored-files.ts';

export interface Copied {
  /** The copy, locked. */
  copy: Document;
  /** Maps the id of each recipient of the source to the id of its copy. */
  recipientIds: ReadonlyMap<string, string>;
}

/** What a document comes from, for its audit trail: a row of a bulk send, by its number in the file, or a public link. */
export type CopyOrigin = { bulk_send: string; row: number } | { public_link: string };

/**
 * Copies a document, its recipients, its file with its parts, and its fields to a new draft in the same folder. The caller
 * holds the lock of `source`. The draft is never a template. It is restricted if the source is, or if the account restricts
 * its type. Recipients are not checked: those of a template may lack an address. Values that were erased are left out. Without
 * a `title` of its own, it has that of the source.
 */
export async function copyDocument(
  world: World,
  tx: Tx,
  source: Document,
  actor: Actor,
  origin: CopyOrigin | null = null,
  title: string | null = null,
): Promise<Copied> {
  const [recipients, attachment, parts] = await Promise.all([
    listRecipients(tx, source.account_id, source.id),
    readAttachment(tx, source.account_id, source.id),
    readParts(tx, source.account_id, source.id),
  ]);
  const id = await insertCopy(world, tx, source, actor, origin, title);
  const copy = (await lockDocument(tx, source.account_id, id, 'all')) as Document;
  const recipientIds = new Map(recipients.map(({ id: source }) => [source, world.newId()]));
  await copyRecipients(tx, copy, recipientIds);
  const erased = erasedFields(attachment?.fields ?? [], recipients);
  if (attachment !== null) await copyAttachment(world, tx, copy, actor, { ...attachment, parts, erased }, recipientIds);
  tx.notify(documentsChannel, copy.account_id);
  return { copy, recipientIds };
}

/** Finds fields of erased people whose preset was erased. */
function erasedFields(fields: readonly Field[], recipients: readonly Recipient[]): Set<Field> {
  const people = new Set(recipients.filter(isErased).map(({ id }) => id));
  return new Set(fields.filter((field) => field.preset === erasedText && people.has(field.recipient_id)));
}

async function insertCopy(
  world: World,
  tx: Tx,
  source: Document,
  actor: Actor,
  origin: CopyOrigin | null,
  title: string | null,
): Promise<string> {
  const id = world.newId();
  const at = world.clock.now().toISOString();
  const detail = { copy_of: source.id, recipients: source.recipient_count, ...origin };
  const created = chainEntry(id, emptyChain, { at, actor, action: 'created', detail });
  await tx.query({
    name: 'copy_document',
    text: `with copy as (
             insert into documents (id, account_id, type, status, title, description, primary_language, secondary_language,
               message, sign_order_mode, expires_in_days, reminder_days, expiry_reminder_days, recipient_count, folder_id,
               restricted_kind, created_at, updated_at, audit_seq, audit_hash)
             select $3, s.account_id, s.type, 'draft', coalesce($10, s.title), s.description, s.primary_language, s.secondary_language,
               s.message, s.sign_order_mode, s.expires_in_days, s.reminder_days, s.expiry_reminder_days, s.recipient_count, s.folder_id,
               coalesce(s.restricted_kind, case when s.type = any (a.restricted_types) then 'other' end), $4, $4, 1, $9
             from documents s join accounts a on a.id = s.account_id where s.account_id = $1 and s.id = $2
             returning id, account_id
           )
           insert into audit_entries (document_id, account_id, seq, at, actor, action, detail, previous_hash, hash)
           select id, account_id, 1, $4, $5, $6, $7, $8, $9 from copy`,
    values: [
      source.account_id,
      source.id,
      id,
      at,
      actor,
      created.action,
      canonicalJson(created.detail),
      created.previousHash,
      created.hash,
      title,
    ],
  });
  return id;
}

async function copyRecipients(tx: Tx, copy: Document, ids: Copied['recipientIds']): Promise<void> {
  await tx.query({
    name: 'copy_recipients',
    text: insertRecipients(`(
      select c.new_id as id, o.account_id, $2::uuid as document_id, o.position, ${recipientColumns}
      from unnest($3::uuid[], $4::uuid[]) as c (old_id, new_id)
        join recipients o on o.account_id = $1 and o.id = c.old_id
    ) r`),
    values: [copy.account_id, copy.id, [...ids.keys()], [...ids.values()]],
  });
}

async function copyAttachment(
  world: World,
  tx: Tx,
  copy: Document,
  actor: Actor,
  { file, fields, parts, erased }: Attachment & { parts: readonly DocumentPart[]; erased: ReadonlySet<Field> },
  recipientIds: Copied['recipientIds'],
): Promise<void> {
  await retainFiles(tx, [file, ...parts]);
  const pages = file.pages.map(([width, height]) => ({ width, height }));
  copy.updated_at = await recordAttachment(world, tx, copy, actor, { ...file, pages, isSigned: file.is_signed }, parts);
  if (fields.length === 0) return;
  await tx.query({
    name: 'copy_fields',
    text: `insert into document_fields
             (id, account_id, document_id, recipient_id, position, type, page, x, y, width, height, required, label,
              is_private, preset, is_fixed, number_min, number_max, decimals, options, group_name, condition_position,
              condition_value, formula, date_format, text_format, value)
           select c.new_id, f.account_id, $2, p.new_id, f.position, f.type, f.page, f.x, f.y, f.width, f.height, f.required,
             f.label, f.is_private, v.preset, f.is_fixed and (v.preset is not null or f.type = 'date'), f.number_min,
             f.number_max, f.decimals, f.options, f.group_name, f.condition_position, f.condition_value, f.formula,
             f.date_format, f.text_format, v.preset
           from unnest($3::uuid[], $4::uuid[], $7::boolean[]) as c (old_id, new_id, is_erased)
             join document_fields f on f.account_id = $1 and f.id = c.old_id
             join unnest($5::uuid[], $6::uuid[]) as p (old_id, new_id) on p.old_id = f.recipient_id
             cross join lateral (select case when not c.is_erased then f.preset end as preset) v`,
    values: [
      copy.account_id,
      copy.id,
      fields.map(({ id }) => id),
      fields.map(() => world.newId()),
      [...recipientIds.keys()],
      [...recipientIds.values()],
      fields.map((field) => erased.has(field)),
    ],
  });
  const detail = { fields: fields.length };
  await appendAudit(tx, copy, [{ at: copy.updated_at, actor, action: 'fields_placed', detail }]);
}
