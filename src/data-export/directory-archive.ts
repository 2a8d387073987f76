import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Archive } from './archive.ts';

/** Writes the files of an export below a directory that exists. Files and directories are for their owner only. */
export function createDirectoryArchive(directory: string): Archive {
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },

    async add(path, content) {
      const target = join(directory, ...path.split('/'));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      let written = 0;
      const count = async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          written += chunk.length;
          yield chunk;
        }
      };
      try {
        await pipeline(content, count, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
        bytes += written;
      } catch (error) {
        await rm(target, { force: true });
        throw error;
      }
    },

    async finish() {
      const opened = await open(directory);
      await opened.sync().finally(() => opened.close());
    },

    close: async () => {},
  };
}
