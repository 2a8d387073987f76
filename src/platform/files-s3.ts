import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config/settings.ts';
import { OperatorError } from '../errors.ts';
import type { FileStore } from './file-store.ts';
import { asFileStoreError } from './files-error.ts';
import { assertFileKey } from './files-key.ts';
import { parseS3Location, type S3Location } from './files-s3-location.ts';
import { storedFile } from './files-stream.ts';

/** Size of the parts that larger files are sent in. One part at a time is in memory. S3's minimum is 5 MiB. */
const partBytes = 8 * 2 ** 20;
const attemptsMax = 3;

/**
 * Creates a file store in a bucket of Amazon S3 or a compatible store. Bodies are signed with their SHA-256, so the
 * store refuses a damaged one. Connection failures, timeouts and server errors (5xx, 429) are tried three times.
 */
export function createS3Files(filesUrl: string, s3: S3Settings, timeoutMs: number): FileStore {
  const location = parseS3Location(filesUrl, s3);
  const opened = once(() => openClient(location, timeoutMs));

  type Opened = Awaited<ReturnType<typeof openClient>>;
  const within = <T>(operation: string, key: string, run: (use: Opened, object: ObjectName) => Promise<T>) => {
    assertFileKey(key);
    const object = { Bucket: location.bucket, Key: location.objectKey(key) };
    return asFileStoreError(operation, key, async () => {
      try {
        return await run(await opened(), object);
      } catch (error) {
        throw explain(error, timeoutMs);
      }
    });
  };

  return {
    put: async (key, bytes) =>
      within('put', key, async ({ sdk, client }, object) => {
        await client.send(new sdk.PutObjectCommand({ ...object, Body: bytes, ContentLength: bytes.length }));
      }),

    putFile: async (key, path, signal) =>
      within('put', key, async ({ client, Upload }, object) => {
        // The signal ends the reading and not the upload, which then removes its parts before it fails. `Upload.abort` would not
        // wait, and could store the file afterwards.
        const params = { ...object, Body: createReadStream(path, signal === undefined ? {} : { signal }) };
        await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done();
        await rm(path, { force: true });
      }),

    get: async (key, range) =>
      within('get', key, async ({ sdk, client }, object) => {
        const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
        const answer = await unlessMissing(() => client.send(new sdk.GetObjectCommand({ ...object, ...part })));
        if (answer === null) return null;
        if (answer.Body === undefined || answer.ContentLength === undefined) {
          throw new Error('the answer of the store has no length');
        }
        if (range !== undefined && answer.ContentLength !== range.last + 1 - range.first) {
          throw new Error('the store answered with another range than the one asked for');
        }
        const body = answer.Body as Readable;
        const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
        return storedFile(key, answer.ContentLength, {
          next: async () => {
            const { done, value } = await withinTime(timeoutMs, chunks.next());
            return done ? null : value;
          },
          close: async () => void body.destroy(),
        });
      }),

    sizeOf: async (key) =>
      within('look for', key, async ({ sdk, client }, object) => {
        const answer = await unlessMissing(() => client.send(new sdk.HeadObjectCommand(object)));
        if (answer === null) return null;
        if (answer.ContentLength === undefined) throw new Error('the answer of the store has no length');
        return answer.ContentLength;
      }),

    has: async (key) =>
      within('look for', key, async ({ sdk, client }, object) => {
        return (await unlessMissing(() => client.send(new sdk.HeadObjectCommand(object)))) !== null;
      }),

    pathOf(key) {
      assertFileKey(key);
      return null;
    },

    remove: async (key) =>
      within('remove', key, async ({ sdk, client }, object) => {
        await unlessMissing(() => client.send(new sdk.DeleteObjectCommand(object)));
      }),
  };
}

interface ObjectName {
  Bucket: string;
  Key: string;
}

/**
 * Checks at startup that a region and credentials are available. Throws an `OperatorError` that names what is missing.
 * It does not contact the bucket, which may be down for a moment.
 */
export async function checkS3Settings(filesUrl: string, s3: S3Settings): Promise<void> {
  const { client } = await openClient(parseS3Location(filesUrl, s3), 1000);
  try {
    await client.config.region().catch(() => {
      throw new OperatorError('bad setting AWS_REGION: FILES_URL names an S3 bucket, so a region must be set');
    });
    await client.config.credentials().catch((cause: Error) => {
      throw new OperatorError(
        'bad setting FILES_URL: no AWS credentials found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a profile or role',
        { cause },
      );
    });
  } finally {
    client.destroy();
  }
}

/** Loads the SDK only if files are in S3, because it costs memory and startup time. */
async function openClient(location: S3Location, timeoutMs: number) {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client: S3Client = new sdk.S3Client({
    ...(location.region === null ? {} : { region: location.region }),
    ...(location.endpoint === null ? {} : { endpoint: location.endpoint }),
    ...(location.credentials === null ? {} : { credentials: location.credentials }),
    forcePathStyle: location.pathStyle,
    maxAttempts: attemptsMax,
    // Many stores don't support checksums other than the signed SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  });
  return { sdk, client, Upload };
}

/** Returns null for a missing object. A missing bucket is an error. */
async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  }
}

/** Explains the store's answer, or its silence, in one sentence. */
function explain(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof Error)) return error;
  const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'TimeoutError') return new Error(silence(timeoutMs), { cause: error });
  const status = $metadata?.httpStatusCode;
  return status === undefined ? error : new Error(`the store answered ${status} ${name}`, { cause: error });
}

async function withinTime<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(silence(limitMs))), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

function silence(limitMs: number): string {
  return `the store was silent for ${limitMs} ms`;
}

/** Runs `make` at the first call and again after a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
