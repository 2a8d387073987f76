import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { S3Settings } from '../config.ts';
import type { FileStore } from './files.ts';
import { asFileStoreError } from './files-error.ts';
import { assertFileKey } from './files-key.ts';
import { parseS3Location } from './files-s3-location.ts';
import { createS3Requests, type S3Body } from './files-s3-requests.ts';
import { storedFile } from './files-stream.ts';

/** An upload may take this long for each byte on top of the time limit: 1 MB/s is a slow line. */
const uploadMsPerByte = 0.001;

/** A bucket of Amazon S3, or of any store that speaks its protocol. */
export function createS3Files(filesUrl: string, s3: S3Settings, timeoutMs: number): FileStore {
  const location = parseS3Location(filesUrl, s3);
  const requests = createS3Requests(location, timeoutMs);

  const within = <T>(operation: string, key: string, run: (url: string) => Promise<T>): Promise<T> => {
    assertFileKey(key);
    return asFileStoreError(operation, key, () => run(location.urlOf(key)));
  };

  /** With its hash signed, the store refuses a body that was damaged on the way. */
  async function upload(url: string, body: S3Body, bytes: number, sha256: string): Promise<void> {
    const headers = { 'X-Amz-Content-Sha256': sha256 };
    const answer = await requests.ask(url, { method: 'PUT', headers, body }, bytes * uploadMsPerByte);
    if (!answer.ok) throw await requests.refusal(answer);
    await requests.finish(answer);
  }

  return {
    put: async (key, bytes) =>
      within('put', key, (url) => {
        const body = bytes as Uint8Array<ArrayBuffer>; // nobody shares memory with us
        return upload(url, body, body.length, createHash('sha256').update(body).digest('hex'));
      }),

    putFile: async (key, path) =>
      within('put', key, async (url) => {
        const sha256 = createHash('sha256');
        for await (const chunk of createReadStream(path)) sha256.update(chunk);
        const body = await openAsBlob(path); // reads the file as it is sent, and anew for another attempt
        await upload(url, body, body.size, sha256.digest('hex'));
        await rm(path, { force: true });
      }),

    get: async (key) =>
      within('get', key, async (url) => {
        const answer = await requests.ask(url, { method: 'GET' });
        if (!answer.ok) {
          await requests.finish(answer);
          return null;
        }
        const size = answer.headers.get('content-length');
        if (answer.body === null || size === null) throw await requests.refusal(answer, 'without a length');
        const reader = answer.body.getReader();
        return storedFile(key, Number(size), {
          next: async () => (await requests.inTime(reader.read())).value ?? null,
          close: () => reader.cancel(),
        });
      }),

    sizeOf: async (key) =>
      within('look for', key, async (url) => {
        const answer = await requests.ask(url, { method: 'HEAD' });
        if (!answer.ok) return null;
        const size = answer.headers.get('content-length');
        if (size === null) throw await requests.refusal(answer, 'without a length');
        return Number(size);
      }),

    has: async (key) => within('look for', key, async (url) => (await requests.ask(url, { method: 'HEAD' })).ok),

    pathOf(key) {
      assertFileKey(key);
      return null;
    },

    remove: async (key) =>
      within('remove', key, async (url) => requests.finish(await requests.ask(url, { method: 'DELETE' }))),
  };
}
