import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { UnlockedPage } from '../blocks.ts';

/** The pages of an unlocked document as it lies in the file store, one after the other. */
export async function* readPages(stored: Readable): AsyncGenerator<UnlockedPage> {
  for await (const line of readLines(stored)) yield JSON.parse(line) as UnlockedPage;
}

/** One of them (from 1), null where there is no such page. */
export async function readPage(stored: Readable, number: number): Promise<UnlockedPage | null> {
  let page = 0;
  for await (const line of readLines(stored)) {
    page += 1;
    if (page === number) return JSON.parse(line) as UnlockedPage;
  }
  return null;
}

async function* readLines(stored: Readable): AsyncGenerator<string> {
  const unzipped = createGunzip();
  stored.on('error', (error) => unzipped.destroy(error));
  stored.pipe(unzipped);
  try {
    yield* createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    stored.destroy();
    unzipped.destroy();
  }
}
