import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../platform/files.ts';
import { makeDirectory } from '../platform/make-directory.ts';
import type { World } from '../platform/world.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import type { DatabaseAddress } from '../postgres/database-address.ts';
import { archiveKey } from './data-exports.ts';
import {
  type Claimed,
  claim,
  failLastAttempts,
  finish,
  isUnfinished,
  type LeaseDeps,
  Lost,
  Refused,
  renew,
  settleFailure,
} from './export-lease.ts';
import { watchRoom } from './watch-room.ts';
import { type ExportProgress, writeExport } from './write-export.ts';
import { createZipArchive } from './zip-archive.ts';

export interface ExportDeps extends LeaseDeps {
  address: DatabaseAddress;
  files: FileStore;
  /** The archive is written below it, and then moved into the file store. */
  dataDir: string;
}

/** Maximum size of the stored files of an export. The file store takes archives of this size; the command line has no limit. */
const exportBytesMax = 64 * 2 ** 30;
/** Free space that the disk of the worker must keep. */
const reservedBytes = 512 * 2 ** 20;
/** How often the lease is extended. */
const renewMs = 1000;

/** Opens connections for a reader whose statements may take minutes, such as the sum over all recipients. */
export function openExportDatabase(address: DatabaseAddress, { log }: World): Database {
  const applicationName = 'countersign export';
  return openDatabase({ ...address, connectionsMax: 2, timeoutMs: 300_000, applicationName, log });
}

/**
 * Returns a scheduled job that writes the exports that owners asked for, one at a time. An export is held under a lease: after
 * a kill another worker starts it again. The job ends when nothing is left to write, or at once when the process stops.
 */
export function createExportRunner(deps: ExportDeps): (stopping: AbortSignal) => Promise<void> {
  let hasCleaned = false;
  return async (stopping) => {
    if ((await failLastAttempts(deps)) || !hasCleaned) await removeLeftovers(deps);
    hasCleaned = true;
    while (!stopping.aborted) {
      const claimed = await claim(deps);
      if (claimed === null) return;
      await removeLeftovers(deps);
      await runExport(deps, claimed, stopping);
    }
  };
}

const workDirectory = ({ dataDir }: ExportDeps) => join(dataDir, 'exporting');
const nameOf = ({ id, attempts }: Pick<Claimed, 'id' | 'attempts'>) => `${id}-${attempts}`;

/** Deletes what killed workers left in this DATA_DIR. */
async function removeLeftovers(deps: ExportDeps): Promise<void> {
  const directory = workDirectory(deps);
  const names = await readdir(directory).catch(() => []);
  if (names.length === 0) return;
  const running = await deps.db.query<Pick<Claimed, 'id' | 'attempts'>>({
    name: 'running_data_exports',
    text: `select id, attempts from data_exports where status = 'running' and leased_until > $1`,
    values: [deps.world.clock.now()],
  });
  const kept = new Set(running.map(nameOf));
  for (const name of names) {
    if (!kept.has(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function runExport(deps: ExportDeps, claimed: Claimed, stopping: AbortSignal): Promise<void> {
  const { world, db, files } = deps;
  const key = archiveKey(claimed.id, claimed.attempts);
  const directory = join(workDirectory(deps), nameOf(claimed));
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, stopping]);
  const progress: ExportProgress & { missing: number } = { done: 0, total: 0, missing: 0 };
  const renewing = setInterval(() => {
    renew(deps, claimed, progress).then(
      (isHeld) => isHeld || ended.abort(new Lost()),
      () => {}, // the lease lasts longer than one renewal
    );
  }, renewMs);
  try {
    await makeDirectory(workDirectory(deps), 0o700);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { mode: 0o700 });
    const { bytes, missing } = await writeArchive(deps, claimed, { directory, signal, progress });
    signal.throwIfAborted();
    await files.putFile(key, join(directory, 'archive.zip'), signal);
    const isFinished = await db.transaction((tx) => finish(deps, tx, claimed, { bytes, missing, progress }));
    if (!isFinished) throw new Lost();
  } catch (error) {
    clearInterval(renewing);
    if (await isUnfinished(deps, claimed, progress)) await files.remove(key).catch(() => {});
    await settleFailure(deps, claimed, signal.aborted ? new Lost() : error);
  } finally {
    clearInterval(renewing);
    await rm(directory, { recursive: true, force: true }).catch((error) =>
      world.log.warn('a directory of a data export was not removed', { error }),
    );
  }
}

interface ArchiveWork {
  directory: string;
  signal: AbortSignal;
  progress: ExportProgress;
}

async function writeArchive(deps: ExportDeps, { account_id, language }: Claimed, work: ArchiveWork) {
  const { world, files } = deps;
  const { directory, signal, progress } = work;
  const lists = join(directory, 'lists');
  await mkdir(lists, { mode: 0o700 });
  const db = openExportDatabase(deps.address, world);
  const file = await open(join(directory, 'archive.zip'), 'wx', 0o600);
  try {
    const archive = await createZipArchive(file, {
      modifiedAt: world.clock.now(),
      directoryPath: join(lists, 'directory'),
    });
    const source = { world, db, files, accountId: account_id, language };
    const watched = watchRoom(archive, () => assertRoom(directory, 0));
    const { missing } = await writeExport(source, watched, {
      directory: lists,
      signal,
      onProgress: (now) => Object.assign(progress, now),
      assertRoom: (bytes) => assertRoom(directory, bytes),
    });
    return { bytes: archive.bytes, missing };
  } finally {
    await file.close();
    await db.close();
  }
}

async function assertRoom(directory: string, bytes: number): Promise<void> {
  if (bytes > exportBytesMax) throw new Refused('too_large');
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < bytes + reservedBytes) throw new Refused('no_space');
}
