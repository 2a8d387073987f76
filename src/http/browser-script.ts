import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * A page's TypeScript as the script that a browser runs: without its types. Kept beside the code that Node compiled, because
 * the stripper takes 10 MB of memory and a tenth of a second, and Node itself does without it once its cache is full. Where
 * nothing can be kept, it is stripped each time. Throws a SyntaxError on what is no TypeScript of the erasable kind.
 */
export function browserScript(source: string): string {
  const folder = getCompileCacheDir();
  if (folder === undefined) return stripTypeScriptTypes(source);
  const kept = join(folder, 'browser', createHash('sha256').update(source).digest('hex'));
  return read(kept) ?? keep(kept, stripTypeScriptTypes(source));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Appears whole or not at all: several processes may start at once. One that cannot be written costs the next start time. */
function keep(file: string, script: string): string {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, script);
    renameSync(`${file}.${process.pid}`, file);
  } catch {}
  return script;
}
