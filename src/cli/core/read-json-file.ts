import { readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Refusal } from '../../errors.ts';

const bytesMax = 1_000_000;

/** Reads a JSON file, or standard input for `-`. Throws a `Refusal` that names the file. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    if (path === '-') return JSON.parse(await text(process.stdin));
    if ((await stat(path)).size > bytesMax) throw new Refusal(`${path} is larger than 1 MB`);
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(`${path} is not JSON: ${error.message}`);
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
