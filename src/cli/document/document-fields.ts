import type { Command } from 'commander';
import { readAttachment } from '../../documents/attachment.ts';
import type { Document } from '../../documents/document.ts';
import { type Field, formulaAsPlaced, shownIf } from '../../documents/field.ts';
import { type FieldFile, listSignedFiles } from '../../documents/field-file.ts';
import { placeFields } from '../../documents/place-fields.ts';
import { findDocument, listRecipients } from '../../documents/queries.ts';
import type { Queryable } from '../../postgres/database.ts';
import { byId } from '../core/by-id.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

export function defineFields(document: Command): void {
  document
    .command('fields <id>')
    .description("list the fields on the document's file; with --file, replace them")
    .option(
      '--file <fields.json>',
      'an array of { recipient, type, page, x, y, width, height, required, label, private, value, read_only, … }',
    )
    .action(async (id: string, { file }: { file?: string }, command: Command) => {
      const newFields = file === undefined ? undefined : await readJsonFile(file);
      const fields = await withDatabase(async ({ world, db }) => {
        if (file === undefined) return viewFields(db, await byId('document', id, () => findDocument(db, id)));
        return db.transaction(async (tx) => {
          const found = await lockById(tx, id);
          await placeFields(world, tx, found, actor, newFields);
          return viewFields(tx, found);
        });
      });
      answer(command, fields, showFields);
    });
}

export type FieldView = Awaited<ReturnType<typeof viewFields>>[number];

/** Shows values only after everyone has signed. */
async function viewFields(db: Queryable, document: Document) {
  const [attachment, recipients] = await Promise.all([
    readAttachment(db, document.account_id, document.id),
    listRecipients(db, document.account_id, document.id),
  ]);
  const uploads = await listSignedFiles(db, document);
  const names = new Map(recipients.map(({ id, display_name }) => [id, display_name]));
  return viewsOf(attachment?.fields ?? [], document, names, uploads);
}

/** `names`: the names of the recipients, by id. */
export function viewsOf(
  fields: readonly Field[],
  document: Document,
  names: ReadonlyMap<string, string>,
  uploads: readonly FieldFile[] = [],
) {
  return fields.map((field) => {
    const upload = uploads.find(({ field_id }) => field_id === field.id);
    const file = upload ? { name: upload.name, bytes: upload.bytes, sha256: upload.sha256.toString('hex') } : null;
    return { ...fieldView(field, fields, document, names.get(field.recipient_id) ?? ''), file };
  });
}

function fieldView(field: Field, all: readonly Field[], document: Document, displayName: string) {
  const { id, recipient_id, type, page, x, y, width, height, required, label, decimals, options } = field;
  const { date_format, text_format, filled_at } = field;
  return {
    ...{ id, recipient_id, type, page, x, y, width, height, required, label, decimals, options },
    ...{ date_format, text_format, filled_at },
    private: field.is_private,
    preset: field.preset,
    read_only: field.is_fixed,
    min: field.number_min,
    max: field.number_max,
    group: field.group_name,
    shown_if: shownIf(field, all),
    formula: formulaAsPlaced(field, all),
    display_name: displayName,
    value: document.completed_at === null ? null : field.value,
  };
}

export function showFields(fields: readonly FieldView[]): string {
  const rows = fields.map(
    ({ page, type, x, y, width, height, required, filled_at, value, label, display_name, ...rest }) => {
      return {
        page,
        type,
        x,
        y,
        width,
        height,
        required,
        filled_at,
        value,
        preset: rest.preset,
        label,
        private: rest.private,
        recipient: display_name,
      };
    },
  );
  return table(rows, 'no fields');
}
