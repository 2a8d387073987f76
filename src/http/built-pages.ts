import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../errors.ts';

/** The directory of `web/build.mjs`: the console's pages, and the scripts of the other pages in `pages/`. */
export const builtPages = resolve(import.meta.dirname, '../../web/dist');

/** Reads a built file. Throws an `OperatorError` if the pages were not built. */
export function readBuiltFile(name: string): Buffer {
  const path = join(builtPages, name);
  if (!existsSync(path)) {
    throw new OperatorError(
      'the pages are not built: run npm ci without --omit=dev or --omit=optional, or install the package from npm pack',
    );
  }
  return readFileSync(path);
}
