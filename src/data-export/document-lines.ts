import type { Tx } from '../postgres/database.ts';
import { columnsOf, type ExportedTableName } from './exported-tables.ts';
import { exportedRow, readRows } from './read-rows.ts';

/** Documents that are read together, with everything that is nested in them. */
const documentsAtOnce = 50;

type Nested = Record<string, unknown> & { document_id: string };

/** Reads every document of a company with its recipients, their fields, its files, review notes and comments. */
export async function* readDocuments(tx: Tx, accountId: string): AsyncGenerator<Record<string, unknown>[]> {
  const sql = `select ${columnsOf('documents', 'd')} from documents d where d.account_id = $1 order by d.id`;
  for await (const documents of readRows<{ id: string }>(tx, sql, accountId, documentsAtOnce)) {
    yield withNested(tx, accountId, documents);
  }
}

async function withNested(tx: Tx, accountId: string, documents: readonly { id: string }[]) {
  const ids = documents.map(({ id }) => id);
  const read = (table: ExportedTableName, order: string, more = '') =>
    readNested(tx, { table, order, more }, accountId, ids);
  const recipients = await read('recipients', 'position');
  const fields = await read('document_fields', 'position', 't.recipient_id, ');
  const [files, parts, sealed, unlocks, notes, comments, uploads] = [
    await read('document_files', 'document_id'),
    await read('document_parts', 'position'),
    await read('sealed_files', 'version desc'),
    await read('document_unlocks', 'document_id'),
    await read('review_notes', 'seq'),
    await read('recipient_comments', 'at, t.id'),
    await read('field_files', 'uploaded_at, t.field_id'),
  ];
  const fieldsOf = Map.groupBy([...fields.values()].flat(), ({ recipient_id }) => recipient_id);
  return documents.map((document) => {
    const { id } = document;
    return {
      ...exportedRow(document),
      recipients: (recipients.get(id) ?? []).map(({ document_id: _nested, ...recipient }) => ({
        ...recipient,
        fields: (fieldsOf.get(recipient.id) ?? []).map(
          ({ document_id: _id, recipient_id: _recipient, ...field }) => field,
        ),
      })),
      file: first(files.get(id)),
      parts: (parts.get(id) ?? []).map(({ document_id: _nested, ...part }) => part),
      sealed_file: first(sealed.get(id)),
      earlier_sealed_files: (sealed.get(id) ?? []).slice(1).map(({ document_id: _nested, ...file }) => file),
      unlocked: first(unlocks.get(id)),
      review_notes: (notes.get(id) ?? []).map(({ document_id: _nested, ...note }) => note),
      uploads: (uploads.get(id) ?? []).map(({ document_id: _nested, ...upload }) => upload),
      comments: (comments.get(id) ?? []).map(({ document_id: _nested, ...comment }) => comment),
    };
  });
}

/** Returns rows by the id of their document. Table and columns come from the code. */
async function readNested(
  tx: Tx,
  { table, order, more }: { table: ExportedTableName; order: string; more: string },
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Nested[]>> {
  const rows = await tx.query<Nested>({
    name: `export_${table}`,
    text: `select t.document_id, ${more}${columnsOf(table)} from ${table} t
           where t.account_id = $1 and t.document_id = any ($2::uuid[]) order by t.document_id, t.${order}`,
    values: [accountId, ids],
  });
  return Map.groupBy(
    rows.map((row) => exportedRow(row) as Nested),
    ({ document_id }) => document_id,
  );
}

function first(rows: Nested[] | undefined): Record<string, unknown> | null {
  if (rows?.[0] === undefined) return null;
  const { document_id: _nested, ...row } = rows[0];
  return row;
}
