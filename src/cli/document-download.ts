import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Document } from '../documents/document.ts';
import { findDocument } from '../documents/queries.ts';
import { Refusal } from '../errors.ts';
import { createFileStore, type StoredFile } from '../world/files.ts';
import { UsageError } from './arguments.ts';
import { byId } from './by-id.ts';
import { assertWritable, saveStream } from './save-stream.ts';
import { withDatabase } from './session.ts';
import { answer, card, wantsJson } from './terminal.ts';

interface DownloadOptions {
  out: string;
  force?: boolean;
}

export function defineDownload(document: Command): void {
  document
    .command('download <id>')
    .description('save the sealed PDF of a completed document')
    .requiredOption('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace a file that is there already')
    .action(async (id: string, { out, force = false }: DownloadOptions, command: Command) => {
      const toStdout = out === '-';
      if (toStdout) assertStdoutTakesPdf(command);
      else await assertWritable(out, force);

      const { config, found } = await withDatabase(async ({ config, db }) => {
        return { config, found: await byId('document', id, () => findDocument(db, id)) };
      });
      const file = await openSealed(createFileStore(config.filesUrl, config.s3), found);
      if (toStdout) return pipeline(file.stream, process.stdout, { end: false });
      answer(command, { id: found.id, out, ...(await saveStream(file.stream, out, force)) }, card);
    });
}

function assertStdoutTakesPdf(command: Command): void {
  if (wantsJson(command)) throw new UsageError('--out - and --json both want standard output');
  if (process.stdout.isTTY)
    throw new UsageError('--out - does not write a PDF to a terminal: send it to a file or a pipe');
}

async function openSealed(files: ReturnType<typeof createFileStore>, document: Document): Promise<StoredFile> {
  if (document.completed_at === null)
    throw new Refusal(`the document is ${document.status}: only a completed one has a sealed PDF`);
  if (document.sealed_file === null)
    throw new Refusal('the document is completed but not sealed yet: try again in a moment');
  const file = await files.get(document.sealed_file);
  if (file === null)
    throw new Refusal(`the file store has no ${document.sealed_file}: is FILES_URL the one the service uses?`);
  return file;
}
