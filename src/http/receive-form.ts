import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { withTemporaryDirectory } from '../platform/temporary-directory.ts';
import { isDiskError } from './disk-error.ts';

/** A file of a form, saved on the disk while the form is worked on. */
export interface FormFile {
  /** The name of the input. */
  field: string;
  /** The name on the sender's device. */
  name: string;
  path: string;
  bytes: number;
  sha256: Buffer;
  /** Whether it was longer than the limit. What is saved is then its beginning. */
  isCut: boolean;
}

export type ReceivedForm =
  /** `isCut`: a field was longer than the limit. */
  | { kind: 'form'; fields: [name: string, value: string][]; files: FormFile[]; isCut: boolean }
  /** The request is not a multipart form. */
  | { kind: 'not_a_form' }
  | { kind: 'too_large' }
  /** The form is incomplete. */
  | { kind: 'broken' };

/** Limits of a form. Fields and files beyond these numbers are left out. */
export interface FormLimits {
  files: number;
  fileBytesMax: number;
  /** A longer file is cut and marked, so that the other entries can be used. Default: the form is `too_large`. */
  cutsFiles?: boolean;
  fields: number;
  fieldBytesMax: number;
  /** The size of the form without its files: boundaries, headers and fields. */
  formBytesMax: number;
}

const headerLimits = { headerPairs: 20, headerSize: 8192 };

/** The parser stops reading, without an error, at a part with damaged headers. The form ends after this time. */
const stalledMs = 10_000;
/** The same time limit while no file is being saved. The parser then waits for no disk, and reads at once. */
const fruitlessMs = 500;

/**
 * Streams the files of a multipart form to disk, calls `work` with the form and always deletes them. `contentType` is a
 * separate parameter because the server hides that header from Fastify.
 */
export async function withForm<Result>(
  request: IncomingMessage,
  contentType: string,
  limits: FormLimits,
  work: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  try {
    return await withTemporaryDirectory(async (directory) =>
      work(await receive(request, contentType, limits, directory)),
    );
  } finally {
    // Many clients read the answer only after they have sent everything. The rest is read and dropped, within the time limit.
    request.resume();
  }
}

/** Whether a content type is that of a form with files. */
export function isMultipart(contentType: string): boolean {
  return /^multipart\/form-data\s*;/i.test(contentType);
}

/** Returns the content type that a client sent. The server replaces it so that Fastify doesn't read the body. */
export function contentTypeOf({ rawHeaders }: IncomingMessage): string {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return rawHeaders[at + 1] ?? '';
}

async function receive(
  request: IncomingMessage,
  contentType: string,
  limits: FormLimits,
  directory: string,
): Promise<ReceivedForm> {
  if (!isMultipart(contentType)) return { kind: 'not_a_form' };
  const bytesMax = limits.files * limits.fileBytesMax + limits.formBytesMax;
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return { kind: 'too_large' };
  const stop = new AbortController();
  // An aborted pipeline may never settle when the parser has ended in part.
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  const streams: BusboyFileStream[] = [];
  const saved: Promise<FormFile | null>[] = [];
  const fields: [string, string][] = [];
  let isCut = false;
  let saving = 0;
  const stall = createStall(() => stop.abort(new StalledError()));
  try {
    const form = openForm(contentType, limits);
    form.on('field', (name, value, _nameCut, valueCut) => {
      isCut ||= valueCut;
      fields.push([name, value]);
    });
    form.on('file', (field, stream, name) => {
      // A part may have no name of a file.
      const saves = save(stream, { field, name: name ?? '', path: join(directory, `file-${streams.length}`) }, limits);
      streams.push(stream);
      saved.push(saves);
      saving += 1;
      stall.after(stalledMs);
      saves.then(
        () => {
          saving -= 1;
          if (saving === 0) stall.shorten(fruitlessMs);
        },
        (error) => stop.abort(error),
      );
    });
    const parsed = pipeline(
      async function* () {
        for await (const chunk of bounded(request, bytesMax)) {
          stall.after(saving > 0 ? stalledMs : fruitlessMs);
          yield chunk;
          stall.clear();
        }
        stall.after(saving > 0 ? stalledMs : fruitlessMs);
      },
      form,
      { signal: stop.signal },
    );
    const files = await Promise.race([parsed.then(() => Promise.all(saved)), stopped]);
    return { kind: 'form', fields, files: files.filter((file) => file !== null), isCut };
  } catch (error) {
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(saved);
    const stopReason: unknown = stop.signal.reason;
    if (error instanceof TooLargeError || stopReason instanceof TooLargeError) return { kind: 'too_large' };
    if (isDiskError(stopReason)) throw stopReason;
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

function openForm(contentType: string, { files, fields, fieldBytesMax, fileBytesMax }: FormLimits): Busboy {
  // One byte more than the maximum, to distinguish a file of exactly that size from a longer one that was cut off.
  const sizes = { fieldSize: fieldBytesMax, fileSize: fileBytesMax + 1 };
  const limits = { ...headerLimits, ...sizes, files, fields, parts: files + fields };
  const form = new Busboy({ headers: { 'content-type': contentType }, limits });
  // The pipeline reports the error. The form may emit it again after the pipeline has ended.
  form.on('error', () => {});
  return form;
}

/** Saves a file. Null: none was chosen, which a form sends as a part with no name and no content. */
async function save(
  stream: BusboyFileStream,
  file: Pick<FormFile, 'field' | 'name' | 'path'>,
  { fileBytesMax, cutsFiles = false }: FormLimits,
): Promise<FormFile | null> {
  const hash = createHash('sha256');
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file.path, { flags: 'wx', mode: 0o600 }),
  );
  const isCut = stream.bytesRead > fileBytesMax;
  if (isCut && !cutsFiles) throw new TooLargeError();
  if (!file.name && stream.bytesRead === 0) return null;
  return { ...file, bytes: stream.bytesRead, sha256: hash.digest(), isCut };
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
