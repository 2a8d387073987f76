import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { UnlockedPage } from '../blocks.ts';

export interface PageWriter {
  write(page: UnlockedPage): Promise<void>;
  /** Of the whole file, as it lies there. */
  end(): Promise<{ sha256: Uint8Array; bytes: number }>;
  /** Gives up what has not ended. */
  close(): Promise<void>;
}

/**
 * Writes the pages of an unlocked document as gzipped JSON, a line each, so that they can be read one by one too. The file is
 * not flushed to the disk: the store does that when it takes it.
 */
export async function createPageWriter(path: string): Promise<PageWriter> {
  const gzip = createGzip({ level: 6 });
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = pipeline(gzip, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  written.catch(() => {});
  return {
    async write(page) {
      if (gzip.write(`${JSON.stringify(page)}\n`)) return;
      await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), written]);
    },
    async end() {
      gzip.end();
      await written;
      return { sha256: hash.digest(), bytes };
    },
    async close() {
      if (!gzip.writableFinished) gzip.destroy();
      await written.catch(() => {});
    },
  };
}
