import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import type { Import } from '../../imports/import.ts';
import type { UploadDeps } from '../../imports/import-deps.ts';
import { importJson } from '../../imports/json.ts';
import { findImport } from '../../imports/queries.ts';
import { cancelUpload } from '../../imports/upload/cancel-upload.ts';
import { receiveUpload } from '../../imports/upload/receive-upload.ts';
import { filesPerUploadMax, startUpload } from '../../imports/upload/start-upload.ts';
import { findActiveCompany } from '../account/find-company.ts';
import { UsageError } from '../core/arguments.ts';
import { findFile } from '../core/find-file.ts';
import { onSignal } from '../core/on-signal.ts';
import { refusingAnswers } from '../core/refusing-answers.ts';
import { withDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';
import { showProgress } from './import-progress.ts';
import { type ImportView, showImport, viewItems } from './import-view.ts';
import { withUploadDeps } from './upload-deps.ts';

interface Options {
  account: string;
  unlock?: boolean;
}

interface FileHere {
  path: string;
  name: string;
  bytes: number;
}

const waitMs = 2000;

export function defineFiles(noun: Command): void {
  noun
    .command('files <file...>')
    .description('import PDFs from this machine, each as a draft; exit 1 when a file failed')
    .requiredOption('--account <id>', 'the company')
    .option('--unlock', 'also convert each to editable text, for one credit per page')
    .action(async (paths: string[], { account, unlock = false }: Options, command: Command) => {
      if (paths.length > filesPerUploadMax) throw new UsageError(`at most ${filesPerUploadMax} files at once`);
      const files = await Promise.all(paths.map(look));
      const shown = await withDatabase(async (session) => {
        const { id } = await findActiveCompany(session.db, account);
        return withUploadDeps(session, (deps) => importFiles(deps, id, files, unlock));
      });
      answer(command, shown, showImport);
      if (shown.failed > 0) throw new Refusal(`${shown.failed} of ${shown.total_files} files did not come in`);
    });
}

/** Checks all files before the import starts. */
async function look(path: string): Promise<FileHere> {
  const { size } = await findFile(path);
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${path} cannot be read: ${error.code}`);
  });
  return { path, name: basename(path), bytes: size };
}

/** Sends the files in turn, as a browser does. After an interruption (Ctrl-C too), the missing files end as `interrupted`. */
function importFiles(
  deps: UploadDeps,
  accountId: string,
  files: readonly FileHere[],
  unlockDoc: boolean,
): Promise<ImportView> {
  const { world, database } = deps;
  return refusingAnswers(async () => {
    const starter = { accountId, personId: null };
    const { id, items } = await database.transaction((tx) => startUpload(deps, tx, starter, { files, unlockDoc }));
    const read = async () => (await findImport(database, accountId, id)) as Import;
    const progress = showProgress(process.stderr);
    let isStopped = false;
    const forget = onSignal(() => {
      isStopped = true;
    });
    try {
      for (const [index, file] of files.entries()) {
        if (isStopped) break;
        await send(deps, { accountId, importId: id, itemId: items[index] as string }, file);
        progress.update(importJson(await read()));
      }
    } finally {
      forget();
      progress.end();
      await cancelUpload(world, database, { accountId, importId: id, itemIds: null });
    }
    return viewItems(database, await read());
  });
}

async function send(
  deps: UploadDeps,
  item: { accountId: string; importId: string; itemId: string },
  { path, bytes }: FileHere,
): Promise<void> {
  for (;;) {
    const received = await receiveUpload(deps, {
      ...item,
      declaredBytes: bytes,
      body: bytesOf(path),
      isCutOff: () => false,
    });
    if (received !== 'closing' && received !== 'busy') return;
    // After this machine slept, a worker may have taken the import over: stop.
    await sleep(waitMs);
  }
}

/** Opens the file on the first read, so files of finished items are never opened. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}
