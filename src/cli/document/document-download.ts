import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readDocumentFile } from '../../documents/attachment.ts';
import { originalFileKey, pdfKey } from '../../documents/completed-file.ts';
import type { Document } from '../../documents/document.ts';
import { listSignedFiles } from '../../documents/field-file.ts';
import { findDocument } from '../../documents/queries.ts';
import { fileKey } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import { createFileStore, type FileStore } from '../../platform/files.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type ExportFormat, exportFormats, exportStream } from '../../unlock/text/export/export-pages.ts';
import { findUnlocked } from '../../unlock/text/find-unlocked.ts';
import { readText } from '../../unlock/text/read-text.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { assertWritable, saveStream } from '../core/save-stream.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card, wantsJson } from '../core/terminal.ts';
import { sealError } from './document-view.ts';

type Format = 'pdf' | ExportFormat;

interface DownloadOptions {
  out: string;
  force?: boolean;
  format: Format;
  original?: boolean;
  upload?: string;
}

const formats = ['pdf', ...exportFormats] as const;

export function defineDownload(document: Command): void {
  document
    .command('download <id>')
    .description(
      "save a document's PDF (the sealed one once it is completed), or an unlocked document in another format",
    )
    .requiredOption('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace an existing file')
    .option(
      '--format <format>',
      `${formats.join(', ')}; all but pdf are of unlocked documents`,
      oneOf('--format', formats),
      'pdf',
    )
    .option('--original', 'the attached or imported file, even when there is a sealed one')
    .option(
      '--upload <field>',
      'the file that a recipient attached to this field, by the id that document fields lists',
    )
    .action(async (id: string, options: DownloadOptions, command: Command) => {
      const { out, force = false, format, original = false, upload } = options;
      if (upload !== undefined && (original || format !== 'pdf'))
        throw new UsageError('--upload is the file as it was attached: leave out --original and --format');
      if (original && format !== 'pdf') throw new UsageError('--original is a PDF: leave out --format');
      const toStdout = out === '-';
      if (toStdout) assertStdoutTakes(format, command);
      else await assertWritable(out, force);

      await withDatabase(async ({ config, db }) => {
        const files = createFileStore(config.filesUrl, config.s3);
        const found = await byId('document', id, () => findDocument(db, id));
        const content =
          upload !== undefined
            ? await attached(db, files, found, upload)
            : format === 'pdf'
              ? await pdf(db, files, found, original)
              : await exported(db, files, found, format);
        if (toStdout) await pipeline(content, process.stdout, { end: false });
        else answer(command, { id: found.id, out, ...(await saveStream(content, out, force)) }, card);
      });
    });
}

function assertStdoutTakes(format: Format, command: Command): void {
  if (wantsJson(command)) throw new UsageError('--out - and --json both want standard output');
  if (format === 'pdf' && process.stdout.isTTY)
    throw new UsageError('--out - does not write a PDF to a terminal: use a file or a pipe');
}

async function pdf(db: Queryable, files: FileStore, document: Document, original: boolean): Promise<Readable> {
  const { key, isSealing } = original
    ? { key: await originalFileKey(db, document), isSealing: false }
    : await pdfKey(db, document);
  if (isSealing)
    throw new Refusal(
      'the document is completed but not sealed yet: try again in a moment, or use --original for the file before signing',
    );
  if (key === null && !original && document.completed_at !== null) throw new Refusal(whyNotSealed(document));
  if (key === null) throw new Refusal('the document has no file: its PDF is made when it is completed');
  const file = await files.get(key);
  if (file === null) throw notStored(key);
  return file.stream;
}

/** Says why a completed document has no sealed PDF and will get none. */
function whyNotSealed(document: Document): string {
  const stopped = sealError(document);
  if (document.is_migrated) return 'the file of this document was erased';
  if (document.sealed_at !== null) return 'the sealed PDF of this document was erased';
  if (stopped !== null) return `the seal of this document was stopped: ${stopped}`;
  return 'the document was voided before it was sealed: use --original for the file before signing';
}

/** Returns the file with which a recipient signed. */
async function attached(db: Queryable, files: FileStore, document: Document, fieldId: string): Promise<Readable> {
  const upload = (await listSignedFiles(db, document)).find(({ field_id }) => field_id === fieldId.toLowerCase());
  if (upload === undefined) throw new Refusal('nobody has signed with a file in this field');
  const key = fileKey(upload.sha256.toString('hex'));
  const file = await files.get(key);
  if (file === null) throw notStored(key);
  return file.stream;
}

/** Returns the current text, with the changes made in the console. */
async function exported(
  db: Queryable,
  files: FileStore,
  { account_id, id, title }: Document,
  format: ExportFormat,
): Promise<Readable> {
  const unlocked = await findUnlocked(db, account_id, id);
  if (unlocked === null) {
    const hasFile = (await readDocumentFile(db, account_id, id)) !== null;
    if (!hasFile) throw new Refusal('the document has no file that could be unlocked');
    throw new Refusal('the document is not unlocked: document unlock does it');
  }
  const key = fileKey(unlocked.sha256.toString('hex'));
  if (!(await files.has(key))) throw notStored(key);
  return exportStream(format, title, readText(db, files, unlocked));
}

function notStored(key: string): Refusal {
  return new Refusal(`the file store has no ${key}: is FILES_URL the one the service uses?`);
}
