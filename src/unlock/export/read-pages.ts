import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { UnlockedPage } from '../blocks.ts';

/** The pages of an unlocked document as it lies in the file store, one after the other. */
export async function* readPages(stored: Readable): AsyncGenerator<UnlockedPage> {
  const unzipped = createGunzip();
  stored.on('error', (error) => unzipped.destroy(error));
  stored.pipe(unzipped);
  try {
    for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield JSON.parse(line) as UnlockedPage;
    }
  } finally {
    stored.destroy();
    unzipped.destroy();
  }
}
