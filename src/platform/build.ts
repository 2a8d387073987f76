import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What this installation was made from. */
export interface Build {
  /** Of `package.json`, such as `1.4.0`. */
  version: string;
  /** Null where nothing tells it, such as in an archive of the sources. */
  commit: string | null;
}

const root = join(import.meta.dirname, '../..');
const shortLength = 12;

let build: Build | null = null;

/**
 * Reads the version, and the commit from Git in a clone or from the file `COMMIT` of a package or image. Reads them once: what
 * a process runs stays what it was when it began, and starting Git from a large process is slow.
 */
export function readBuild(): Build {
  build ??= { version: readVersion(), commit: (readGit() ?? readCommitFile())?.slice(0, shortLength) ?? null };
  return build;
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** A package may lie in somebody else's clone: only a `.git` of our own counts. */
function readGit(): string | null {
  if (!existsSync(join(root, '.git'))) return null;
  try {
    return execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

function readCommitFile(): string | null {
  try {
    return readFileSync(join(root, 'COMMIT'), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
