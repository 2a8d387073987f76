import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * Strips the types of a page's TypeScript, so that a browser can run it.
 * The result is cached next to Node's compile cache, because the stripper takes 10 MB of memory and 0.1 s. If nothing
 * can be cached, each call strips again. Throws a SyntaxError for syntax that can't be erased.
 */
export function browserScript(source: string): string {
  const folder = getCompileCacheDir();
  if (folder === undefined) return stripTypeScriptTypes(source);
  const cached = join(folder, 'browser', createHash('sha256').update(source).digest('hex'));
  return read(cached) ?? store(cached, stripTypeScriptTypes(source));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Writes the file atomically, because several processes may start at once. A failed write only makes the next start
 * slower.
 */
function store(file: string, script: string): string {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, script);
    renameSync(`${file}.${process.pid}`, file);
  } catch {}
  return script;
}
