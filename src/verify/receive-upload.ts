import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';

export type Upload =
  | { kind: 'file'; path: string; name: string }
  /** The form has no file, or the request is not a form. */
  | { kind: 'no_file' }
  | { kind: 'too_large' }
  /** The form is incomplete. */
  | { kind: 'broken' };

/** Size of the form without its file: boundaries, headers and a few fields. */
const formBytesMax = 64 * 1024;
const formLimits = { files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20, headerSize: 8192 };

/** The parser stops reading, without an error, at a part with damaged headers. The upload ends after this time. */
const stalledMs = 10_000;
/** The same time limit while no file is being saved. The parser then waits for no disk, and reads at once. */
const fruitlessMs = 500;

/**
 * Streams the file of a multipart form to disk, calls `work` with it and always deletes it. `contentType` is a separate
 * parameter because the server hides that header from Fastify.
 */
export async function withUpload<Result>(
  request: IncomingMessage,
  contentType: string,
  fileBytesMax: number,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  try {
    return await withTemporaryDirectory(async (directory) =>
      work(await receive(request, contentType, fileBytesMax, join(directory, 'file.pdf'))),
    );
  } finally {
    // Many clients read the answer only after they have sent everything. The rest is read and dropped, within the time limit.
    request.resume();
  }
}

async function receive(
  request: IncomingMessage,
  contentType: string,
  fileBytesMax: number,
  path: string,
): Promise<Upload> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return { kind: 'no_file' };
  if (Number(request.headers['content-length'] ?? 0) > fileBytesMax + formBytesMax) return { kind: 'too_large' };
  const stop = new AbortController();
  // An aborted pipeline may never settle when the parser has ended in part.
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  let file: BusboyFileStream | undefined;
  let saved: Promise<Upload> = Promise.resolve({ kind: 'no_file' });
  let isSaving = false;
  const stall = createStall(() => stop.abort(new StalledError()));
  try {
    const form = openForm(contentType, fileBytesMax);
    form.on('file', (_field, stream, name) => {
      file = stream;
      saved = save(stream, path, name, fileBytesMax);
      isSaving = true;
      stall.after(stalledMs);
      saved.then(
        () => {
          isSaving = false;
          stall.shorten(fruitlessMs);
        },
        (error) => stop.abort(error),
      );
    });
    const parsed = pipeline(
      async function* () {
        for await (const chunk of bounded(request, fileBytesMax + formBytesMax)) {
          stall.after(isSaving ? stalledMs : fruitlessMs);
          yield chunk;
          stall.clear();
        }
        stall.after(isSaving ? stalledMs : fruitlessMs);
      },
      form,
      { signal: stop.signal },
    );
    return await Promise.race([parsed.then(() => saved), stopped]);
  } catch (error) {
    file?.destroy();
    await saved.catch(() => {});
    if (error instanceof TooLargeError) return { kind: 'too_large' };
    if (isDiskError(stop.signal.reason)) throw stop.signal.reason;
    return { kind: 'broken' };
  } finally {
    stall.clear();
  }
}

/** Creates a timer that calls `giveUp` unless it is cleared in time. */
function createStall(giveUp: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const after = (ms: number) => {
    clear();
    timer = setTimeout(giveUp, ms);
  };
  return {
    clear,
    after,
    /** Restarts a running timer with another time. */
    shorten(ms: number) {
      if (timer !== undefined) after(ms);
    },
  };
}

class StalledError extends Error {}

function openForm(contentType: string, fileBytesMax: number): Busboy {
  // One byte more than the maximum, to distinguish a file of exactly that size from a longer one that was cut off.
  const limits = { ...formLimits, fileSize: fileBytesMax + 1 };
  const form = new Busboy({ headers: { 'content-type': contentType }, limits });
  // The pipeline reports the error. The form may emit it again after the pipeline has ended.
  form.on('error', () => {});
  return form;
}

async function save(stream: BusboyFileStream, path: string, name: string, fileBytesMax: number): Promise<Upload> {
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (stream.bytesRead > fileBytesMax) return { kind: 'too_large' };
  // A form without a chosen file has a part with no name and no content.
  return name || stream.bytesRead > 0 ? { kind: 'file', path, name } : { kind: 'no_file' };
}

class TooLargeError extends Error {}

/** Limits a body, also one without a declared length. Keeps the request open for the answer. */
async function* bounded(request: IncomingMessage, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TooLargeError();
    yield chunk;
  }
}

/** Whether the disk failed, which is not the sender's fault. Errors of the network have no path. */
function isDiskError(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).path === 'string';
}
