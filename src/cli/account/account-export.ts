import { link, lstat, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import type { Archive } from '../../data-export/archive.ts';
import { cancelExport, type DataExport, pageExports } from '../../data-export/data-exports.ts';
import { readErasedAt } from '../../erasure/erase-account.ts';
import { Refusal } from '../../errors.ts';
import { createFileStore } from '../../platform/files.ts';
import type { Language } from '../../platform/language.ts';
import { systemRandom } from '../../platform/random.ts';
import { oneOf } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { onSignal } from '../core/on-signal.ts';
import { type Session, withDatabase, withExistingDatabase } from '../core/session.ts';
import { answer, card, remark, table } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

const examples = `
Examples:
  countersign account export $ACCOUNT acme.zip
  countersign account export $ACCOUNT acme/          # the same files, not packed
  countersign account exports $ACCOUNT               # those that owners asked for in the console`;

const languages = ['en', 'es'] as const;
const exportsShown = 100;

export function defineExport(account: Command): void {
  account
    .command('export <id> <destination>')
    .description('write everything of a company to a new ZIP file (a name that ends with .zip) or a new directory')
    .option('--language <language>', 'of the README and of sentences: en or es', oneOf('--language', languages), 'en')
    .addHelpText('after', examples)
    .action(async (id: string, destination: string, { language }: { language: Language }, command: Command) => {
      const written = await withExistingDatabase((session) => writeTo(session, id, resolve(destination), language));
      if (written.missing_files > 0)
        remark(`${written.missing_files} files are missing or damaged: manifest.json lists them as missing_files`);
      answer(command, written, card);
    });

  account
    .command('exports <id>')
    .description('data exports that owners asked for in the console')
    .option('--remove <export-id>', 'cancel this one, or delete its archive')
    .action(async (id: string, { remove }: { remove?: string }, command: Command) => {
      const listed = await withDatabase(async ({ world, db }) => {
        await findCompany(db, id);
        if (remove !== undefined) {
          const of = { accountId: id, id: remove, personId: null };
          await byId('data export', remove, () => db.transaction((tx) => cancelExport(world, tx, of)));
        }
        return (await pageExports(db, { accountId: id, afterId: null, limit: exportsShown })).map(exportRow);
      });
      answer(command, listed, (rows) => table(rows, 'no data exports'));
    });
}

function exportRow({ id, status, requested_at, email, bytes, missing_files, failure, expires_at }: DataExport) {
  return { id, status, requested_at, expires_at, bytes, missing_files, failure, requested_by: email };
}

/**
 * Writes next to the destination under a temporary name, so that a failure leaves nothing there. Only when the audit entry
 * fails, which comes last, the export is there.
 */
async function writeTo(session: Session, accountId: string, destination: string, language: Language) {
  const company = await findCompany(session.db, accountId);
  if ((await readErasedAt(session.db, accountId)) !== null) throw new Refusal('the company was erased: it has no data');
  await assertNew(destination);
  const temporary = join(dirname(destination), `.countersign-${systemRandom.bytes(8).toString('hex')}.part`);
  const removeTemporary = () => rm(temporary, { recursive: true, force: true });
  const forget = onSignal((exitCode) => removeTemporary().finally(() => process.exit(exitCode)));
  try {
    await mkdir(temporary, { mode: 0o700 }).catch((error: Error) => {
      throw new Refusal(`${destination} cannot be written: ${error.message}`);
    });
    const path = join(temporary, 'export');
    const written = await write(session, { accountId, language, path, isZip: destination.endsWith('.zip') }, temporary);
    const { world, db } = session;
    const { documents, files, missing, bytes } = written;
    const detail = { documents, files, bytes };
    await place(path, destination);
    await auditAccount(world, db, { accountId, personId: null, action: 'data_export_downloaded', detail }).catch(
      (error: Error) => {
        throw new Refusal(`${destination} was written, but the audit log does not have it: ${error.message}`);
      },
    );
    return { company: company.display_name, destination, bytes, documents, files, missing_files: missing };
  } finally {
    await removeTemporary();
    forget();
  }
}

interface Target {
  accountId: string;
  language: Language;
  path: string;
  isZip: boolean;
}

async function write({ config, world, databaseUrl }: Session, target: Target, temporary: string) {
  const { accountId, language, path, isZip } = target;
  const [{ openExportDatabase }, { writeExport }] = await Promise.all([
    import('../../data-export/run-exports.ts'),
    import('../../data-export/write-export.ts'),
  ]);
  const lists = join(temporary, 'lists');
  await mkdir(lists, { mode: 0o700 });
  const db = openExportDatabase({ url: databaseUrl, throughPooler: false, directUrl: databaseUrl }, world);
  const opened = isZip ? await openZip(path, join(lists, 'directory'), world.clock.now()) : await openDirectory(path);
  try {
    const files = createFileStore(config.filesUrl, config.s3);
    const written = await writeExport({ world, db, files, accountId, language }, opened.archive, {
      directory: lists,
      signal: new AbortController().signal,
      onProgress: () => {},
      assertRoom: (bytes) => assertRoom(temporary, bytes),
    });
    return { ...written, bytes: opened.archive.bytes };
  } finally {
    await opened.close();
    await db.close();
  }
}

interface OpenArchive {
  archive: Archive;
  close(): Promise<void>;
}

async function openZip(path: string, directoryPath: string, modifiedAt: Date): Promise<OpenArchive> {
  const { createZipArchive } = await import('../../data-export/zip-archive.ts');
  const file = await open(path, 'wx', 0o600);
  return { archive: await createZipArchive(file, { modifiedAt, directoryPath }), close: () => file.close() };
}

async function openDirectory(path: string): Promise<OpenArchive> {
  const { createDirectoryArchive } = await import('../../data-export/directory-archive.ts');
  await mkdir(path, { mode: 0o700 });
  return { archive: createDirectoryArchive(path), close: async () => {} };
}

async function assertRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < bytes) throw new Refusal(`the disk has ${bavail * bsize} bytes free, and ${bytes} are needed`);
}

const taken = (path: string) => new Refusal(`${path} is there already: an export replaces nothing`);

async function assertNew(path: string): Promise<void> {
  const present = await lstat(path).catch(() => null);
  if (present === null) return;
  const isEmptyDirectory = !path.endsWith('.zip') && present.isDirectory() && (await readdir(path)).length === 0;
  if (!isEmptyDirectory) throw taken(path);
}

/** Gives what was written its name. Something that has appeared there in the meantime stays. */
async function place(from: string, to: string): Promise<void> {
  try {
    if (!to.endsWith('.zip')) return await rename(from, to);
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(code)) throw taken(to);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    // The file system has no links.
    await assertNew(to);
    await rename(from, to);
  }
}
