import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { UnlockedPage } from '../../blocks.ts';

export interface PageWriter {
  write(page: UnlockedPage): Promise<void>;
  /** Finishes the file. Returns its SHA-256 and size. */
  end(): Promise<{ sha256: Uint8Array; bytes: number }>;
  /** Stops writing, if it has not ended. */
  close(): Promise<void>;
}

/**
 * Writes the pages of an unlocked document as gzipped JSON, one line each, so that they can be read one by one. Does not
 * flush the file to disk. The store does that.
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
