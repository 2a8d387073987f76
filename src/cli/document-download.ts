import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readDocumentFile } from '../documents/attachment.ts';
import { completedFileKey } from '../documents/completed-file.ts';
import type { Document } from '../documents/document.ts';
import { findDocument } from '../documents/queries.ts';
import { fileKey } from '../documents/stored-files.ts';
import { Refusal } from '../errors.ts';
import { findUnlock } from '../imports/unlock-rows.ts';
import type { Queryable } from '../postgres/database.ts';
import { type ExportFormat, exportFormats, exportPages } from '../unlock/export/export-pages.ts';
import { readPages } from '../unlock/export/read-pages.ts';
import { createFileStore, type FileStore, type StoredFile } from '../world/files.ts';
import { oneOf, UsageError } from './arguments.ts';
import { byId } from './by-id.ts';
import { assertWritable, saveStream } from './save-stream.ts';
import { withDatabase } from './session.ts';
import { answer, card, wantsJson } from './terminal.ts';

type Format = 'pdf' | ExportFormat;

interface DownloadOptions {
  out: string;
  force?: boolean;
  format: Format;
}

const formats = ['pdf', ...exportFormats] as const;

export function defineDownload(document: Command): void {
  document
    .command('download <id>')
    .description('save the sealed PDF of a completed document, or an unlocked document in another format')
    .requiredOption('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace a file that is there already')
    .option(
      '--format <format>',
      `${formats.join(', ')}; all but pdf are of unlocked documents`,
      oneOf('--format', formats),
      'pdf',
    )
    .action(async (id: string, { out, force = false, format }: DownloadOptions, command: Command) => {
      const toStdout = out === '-';
      if (toStdout) assertStdoutTakes(format, command);
      else await assertWritable(out, force);

      const { files, found, key } = await withDatabase(async ({ config, db }) => {
        const found = await byId('document', id, () => findDocument(db, id));
        const key = format === 'pdf' ? await sealedKey(db, found) : await unlockedKey(db, found);
        return { files: createFileStore(config.filesUrl, config.s3), found, key };
      });
      const { stream } = await openStored(files, key);
      const content = format === 'pdf' ? stream : exported(format, found, stream);
      if (toStdout) return pipeline(content, process.stdout, { end: false });
      answer(command, { id: found.id, out, ...(await saveStream(content, out, force)) }, card);
    });
}

function assertStdoutTakes(format: Format, command: Command): void {
  if (wantsJson(command)) throw new UsageError('--out - and --json both want standard output');
  if (format === 'pdf' && process.stdout.isTTY)
    throw new UsageError('--out - does not write a PDF to a terminal: send it to a file or a pipe');
}

async function sealedKey(db: Queryable, document: Document): Promise<string> {
  if (document.completed_at === null)
    throw new Refusal(`the document is ${document.status}: only a completed one has a sealed PDF`);
  const key = await completedFileKey(db, document);
  if (key === null) throw new Refusal('the document is completed but not sealed yet: try again in a moment');
  return key;
}

async function unlockedKey(db: Queryable, { account_id, id }: Document): Promise<string> {
  const [unlock, file] = await Promise.all([findUnlock(db, account_id, id), readDocumentFile(db, account_id, id)]);
  if (file === null) throw new Refusal('the document has no file that could be unlocked');
  const isOfThisFile = unlock?.source_sha256.equals(file.sha256) ?? false;
  if (!isOfThisFile || unlock?.sha256 == null)
    throw new Refusal('the document is not unlocked: document unlock does it');
  return fileKey(unlock.sha256.toString('hex'));
}

async function openStored(files: FileStore, key: string): Promise<StoredFile> {
  const file = await files.get(key);
  if (file === null) throw new Refusal(`the file store has no ${key}: is FILES_URL the one the service uses?`);
  return file;
}

function exported(format: ExportFormat, { title }: Document, stored: Readable): Readable {
  return Readable.from(encoded(exportPages(format, title, readPages(stored))), { objectMode: false });
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) if (part !== '') yield Buffer.from(part);
}
