import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { assertUnsent } from './attach-file.ts';
import { readAttachment } from './attachment.ts';
import { appendAudit } from './audit.ts';
import type { Document } from './document.ts';
import { listRecipients } from './queries.ts';
import { readPlacedFields } from './read-placed-fields.ts';

/**
 * Replaces all fields on a document's file. `input`: the content of `fields.json`. The caller holds the document's lock.
 * Throws a `Refusal` that names the first error, such as `fields[2].page must be …`.
 */
export async function placeFields(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  input: unknown,
): Promise<void> {
  assertUnsent(document);
  const [attachment, recipients] = await Promise.all([
    readAttachment(tx, document.account_id, document.id),
    listRecipients(tx, document.account_id, document.id),
  ]);
  if (attachment === null) throw new Refusal('the document has no file yet: attach one first');
  const fields = readPlacedFields(input, attachment.file, recipients, document.sign_order_mode);
  const now = world.clock.now().toISOString();
  document.updated_at = now;
  await Promise.all([
    tx.query({
      name: 'remove_fields',
      text: `with touched as (update documents set updated_at = $3 where account_id = $1 and id = $2)
             delete from document_fields where account_id = $1 and document_id = $2`,
      values: [document.account_id, document.id, now],
    }),
    tx.query({
      name: 'insert_fields',
      text: `insert into document_fields
               (id, account_id, document_id, recipient_id, position, type, page, x, y, width, height, required, label,
                is_private, preset, is_fixed, number_min, number_max, decimals, options, group_name,
                condition_position, condition_value, formula, date_format, text_format, value)
             select f.id, $1, $2, f.recipient_id, f.position - 1, f.type, f.page, f.x, f.y, f.width, f.height, f.required, f.label,
               f.is_private, f.preset, f.is_fixed, f.number_min, f.number_max, f.decimals, f.options, f.group_name,
               f.condition_position, f.condition_value, f.formula, f.date_format, f.text_format, f.preset
             from unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::float8[], $8::float8[], $9::float8[],
                         $10::float8[], $11::boolean[], $12::text[], $13::boolean[], $14::text[], $15::boolean[],
                         $16::text[], $17::text[], $18::smallint[], $19::jsonb[], $20::text[], $21::smallint[],
                         $22::text[], $23::text[], $24::text[], $25::text[]) with ordinality
               as f (id, recipient_id, type, page, x, y, width, height, required, label, is_private, preset, is_fixed,
                     number_min, number_max, decimals, options, group_name, condition_position, condition_value, formula, date_format,
                     text_format, position)`,
      values: [
        document.account_id,
        document.id,
        fields.map(() => world.newId()),
        fields.map((field) => field.recipient_id),
        fields.map((field) => field.type),
        fields.map((field) => field.page),
        fields.map((field) => field.x),
        fields.map((field) => field.y),
        fields.map((field) => field.width),
        fields.map((field) => field.height),
        fields.map((field) => field.required),
        fields.map((field) => field.label),
        fields.map((field) => field.is_private),
        fields.map((field) => field.preset),
        fields.map((field) => field.is_fixed),
        fields.map((field) => field.number_min),
        fields.map((field) => field.number_max),
        fields.map((field) => field.decimals),
        fields.map(({ options }) => options && JSON.stringify(options)),
        fields.map((field) => field.group_name),
        fields.map((field) => field.condition_position),
        fields.map((field) => field.condition_value),
        fields.map((field) => field.formula),
        fields.map((field) => field.date_format),
        fields.map((field) => field.text_format),
      ],
    }),
    appendAudit(tx, document, [{ at: now, actor, action: 'fields_placed', detail: { fields: fields.length } }]),
  ]);
}
