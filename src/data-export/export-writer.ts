import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from './archive.ts';

/** A file that the archive should have and has not. */
export interface MissingFile {
  path: string;
  document_id: string;
  problem: 'missing' | 'damaged' | 'unreadable';
}

/** Writes the files of an export and its manifest. The lists are on the disk, so memory does not grow with them. */
export interface ExportWriter {
  /** Adds a file. `check` gets its SHA-256 (hex), and may throw to leave the file out. */
  add(
    path: string,
    content: AsyncIterable<Uint8Array>,
    options: { compress: boolean; check?: (sha256: string) => void },
  ): Promise<void>;
  miss(file: MissingFile): Promise<void>;
  /** Writes `manifest.json` with these facts and the lists, and completes the archive. */
  finish(facts: Record<string, unknown>): Promise<void>;
  /** Closes the lists and the archive, also after a failure. */
  close(): Promise<void>;
  readonly missing: number;
}

/** `directory`: an empty directory for the lists. */
export async function createExportWriter(archive: Archive, directory: string): Promise<ExportWriter> {
  const lists = {
    files: await createList(join(directory, 'files')),
    missing: await createList(join(directory, 'missing')),
  };
  return {
    get missing() {
      return lists.missing.count;
    },

    async add(path, content, { compress, check }) {
      const hash = createHash('sha256');
      let bytes = 0;
      let sha256 = '';
      const measured = async function* () {
        for await (const chunk of content) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
        sha256 = hash.digest('hex');
        check?.(sha256);
      };
      await archive.add(path, measured(), { compress });
      await lists.files.add({ path, bytes, sha256 });
    },

    miss: (file) => lists.missing.add({ ...file }),

    async finish(facts) {
      await archive.add('manifest.json', manifest({ ...facts, files_count: lists.files.count }, lists), {
        compress: true,
      });
      await archive.finish();
    },

    async close() {
      await Promise.all([lists.files.close(), lists.missing.close(), archive.close()]);
    },
  };
}

interface List {
  path: string;
  count: number;
  add(item: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Collects items in a file, one a line. */
async function createList(path: string): Promise<List> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  const list: List = {
    path,
    count: 0,
    async add(item) {
      await file.appendFile(`${list.count === 0 ? '' : ',\n'}    ${JSON.stringify(item)}`);
      list.count += 1;
    },
    close: () => file.close(),
  };
  return list;
}

async function* manifest(facts: Record<string, unknown>, { files, missing }: { files: List; missing: List }) {
  await files.close();
  await missing.close();
  const head = JSON.stringify(facts, null, 2).slice(0, -2);
  yield Buffer.from(`${head},\n  "missing_files": [\n`);
  for await (const chunk of createReadStream(missing.path)) yield chunk as Buffer;
  yield Buffer.from('\n  ],\n  "files": [\n');
  for await (const chunk of createReadStream(files.path)) yield chunk as Buffer;
  yield Buffer.from('\n  ]\n}\n');
}
