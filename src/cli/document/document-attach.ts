import { basename } from 'node:path';
import type { Command } from 'commander';
import { assertUnsent, attachFile, fileNameLengthMax } from '../../documents/attach-file.ts';
import { isStorable } from '../../documents/field.ts';
import type { NewFile } from '../../documents/new-file.ts';
import { findDocument } from '../../documents/queries.ts';
import { storeFile } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import { type PageSize, type PdfRefusal, pagesMax } from '../../pdf/pdfium/inspect-pdf.ts';
import { createFileStore } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { textOf } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { actor, withDatabase } from '../core/session.ts';
import { type TakenFile, withTakenFile } from '../core/take-file.ts';
import { answer, remark } from '../core/terminal.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockById } from './lock-document.ts';

export function defineAttach(document: Command): void {
  document
    .command('attach <id> <file.pdf>')
    .description(
      'attach a PDF to an unsent document; replaces an earlier file, and keeps the fields that fit on the new one',
    )
    .option(
      '--name <name>',
      "how recipients see it called; else the file's own name",
      textOf('--name', fileNameLengthMax),
    )
    .action(async (id: string, path: string, { name }: { name?: string }, command: Command) => {
      const { shown, fieldsRemoved } = await withTakenFile(path, (taken) => attach(id, taken, name ?? nameOf(path)));
      if (fieldsRemoved > 0) remark(`${fieldsRemoved} fields were removed with the earlier file: place them again`);
      answer(command, shown, showDocument);
    });
}

/** Checks and stores the file before the transaction. After a kill in between, a scheduled job removes the unused file. */
function attach(id: string, taken: TakenFile, name: string) {
  return withDatabase(async ({ config, world, db }) => {
    const found = await byId('document', id, () => findDocument(db, id));
    assertUnsent(found);
    const { sha256, bytes } = taken;
    const file: NewFile = { sha256, bytes, name, ...(await inspect(taken.path, found.account_id, world.log)) };
    await storeFile(world, db, createFileStore(config.filesUrl, config.s3), file, taken.path);
    return db.transaction(async (tx) => {
      const locked = await lockById(tx, id);
      const { fieldsRemoved } = await attachFile(world, tx, locked, actor, file);
      return { fieldsRemoved, shown: await operatorView(tx, locked) };
    });
  });
}

async function inspect(path: string, accountId: string, log: Log): Promise<{ pages: PageSize[]; isSigned: boolean }> {
  // Loaded on demand: no other command reads PDFs.
  const { createPdfReader } = await import('../../pdf/pdf-reader.ts');
  const reader = createPdfReader({ log });
  try {
    const found = await reader.inspect(path, accountId);
    if (!found.ok) throw new Refusal(refusals[found.reason]);
    return found;
  } finally {
    await reader.close();
  }
}

const refusals: Record<PdfRefusal, string> = {
  not_a_pdf: 'the file is not a PDF',
  encrypted: 'the PDF wants a password to be opened: save it without one',
  xfa: 'the PDF is an XFA form, which only one reader can show: print it to a PDF first',
  damaged: 'the PDF is damaged: some of its pages cannot be read',
  too_many_pages: `the PDF has more than ${pagesMax} pages`,
  too_complex: 'the PDF takes too long or too much memory to read',
};

/** Returns a plain name for a file name that is not valid text. */
function nameOf(path: string): string {
  const name = [...basename(path)].slice(0, fileNameLengthMax).join('');
  return isStorable(name) && name.trim() !== '' ? name : 'document.pdf';
}
