import type { Command } from 'commander';
import { readDocumentFile } from '../../documents/attachment.ts';
import { type Suggestion, suggestFields } from '../../documents/form-fields.ts';
import { findDocument } from '../../documents/queries.ts';
import { fileKey } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import type { FormField } from '../../pdf/pdfium/form-fields.ts';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import { createFileStore } from '../../platform/files.ts';
import { createLocalCopies } from '../../platform/local-copies.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, remark, table } from '../core/terminal.ts';

const names = { group: 'Group', option: 'Option' };
/** The copy goes with the command. */
const copies = { bytesMax: 0, ageMsMax: 3_600_000 };

export function defineFormFields(document: Command): void {
  document
    .command('form-fields <id>')
    .description("list the empty fields of the PDF's form as fields of the first recipient, for fields --file")
    .action(async (id: string, _options, command: Command) => {
      const { fields, others } = await withDatabase((session) => suggest(session, id));
      if (others > 0) remark(`fields of the form that have a value, or can't be filled in here: ${others}`);
      answer(
        command,
        fields.map((field) => ({ recipient: 1, ...field })),
        showSuggested,
      );
    });
}

async function suggest({ config, db, world }: Session, id: string): Promise<Suggestion> {
  const document = await byId('document', id, () => findDocument(db, id));
  const file = await readDocumentFile(db, document.account_id, document.id);
  if (file === null) throw new Refusal('the document has no file yet: attach one first');
  const store = createLocalCopies(createFileStore(config.filesUrl, config.s3), copies);
  try {
    const form = await store.use(fileKey(file.sha256.toString('hex')), (path) =>
      readForm(path, document.account_id, world.log),
    );
    return suggestFields(form, file.pages, names);
  } finally {
    await store.close();
  }
}

async function readForm(path: string, accountId: string, log: Session['world']['log']): Promise<FormField[]> {
  // Loaded on demand: few commands read PDFs.
  const { createPdfReader } = await import('../../pdf/pdf-reader.ts');
  const reader = createPdfReader({ log });
  try {
    return await reader.formFields(path, accountId);
  } catch (error) {
    if (error instanceof PdfWorkerError) throw new Refusal("the PDF's form can't be read");
    throw error;
  } finally {
    await reader.close();
  }
}

function showSuggested(fields: ReadonlyArray<{ recipient: number } & Suggestion['fields'][number]>): string {
  const rows = fields.map(({ page, type, x, y, width, height, required, label, group }) => {
    return { page, type, x, y, width, height, required, group, label };
  });
  return table(rows, 'no empty fields of a form');
}
