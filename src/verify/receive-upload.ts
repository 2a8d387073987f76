import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { withTemporaryDirectory } from '../world/temporary-directory.ts';

export type Upload =
  | { kind: 'file'; path: string; name: string }
  /** The form was sent without a file, or the request is no form at all. */
  | { kind: 'no_file' }
  | { kind: 'too_large' }
  /** The form stops in the middle. */
  | { kind: 'broken' };

/** What a form may have beside its file: boundaries, headers, a field or two. */
const formBytesMax = 64 * 1024;
const formLimits = { files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20, headerSize: 8192 };

/** The form's parser never ends a part without sound headers, and takes nothing more: it is given up after this. */
const stalledMs = 10_000;
/** The same while no file is being saved: without a disk to wait for, the parser takes what it gets at once. */
const fruitlessMs = 500;

/**
 * Streams the one file of a multipart form to disk, lets `work` have it, and deletes it whatever happens. `contentType`
 * is given apart, because the server hides it from Fastify.
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
    // Many clients listen only after they have sent all: what is left is read and thrown away, while the server's time lasts.
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
  // A pipeline does not always end when it is aborted: the parser may have ended in part.
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

/** A timer that calls `giveUp` unless it is cleared in time. */
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
    /** Waits this long from now, if it waits at all. */
    shorten(ms: number) {
      if (timer !== undefined) after(ms);
    },
  };
}

class StalledError extends Error {}

function openForm(contentType: string, fileBytesMax: number): Busboy {
  // A byte more than allowed tells a file that is just as long from one that was cut off.
  const limits = { ...formLimits, fileSize: fileBytesMax + 1 };
  const form = new Busboy({ headers: { 'content-type': contentType }, limits });
  // Told by the pipeline; it may be emitted once more after that has ended.
  form.on('error', () => {});
  return form;
}

async function save(stream: BusboyFileStream, path: string, name: string, fileBytesMax: number): Promise<Upload> {
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (stream.bytesRead > fileBytesMax) return { kind: 'too_large' };
  // A form whose file nobody chose has a part without name and content.
  return name || stream.bytesRead > 0 ? { kind: 'file', path, name } : { kind: 'no_file' };
}

class TooLargeError extends Error {}

/** A body without a declared length ends here too. The request itself is kept open, for the answer. */
async function* bounded(request: IncomingMessage, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TooLargeError();
    yield chunk;
  }
}

/** A full disk is not the sender's fault; the network's errors carry no system call. */
function isDiskError(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).path === 'string';
}
