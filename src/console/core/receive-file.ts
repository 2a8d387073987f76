import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileBytesMax } from '../../documents/attach-file.ts';
import type { FileContent } from '../../documents/stored-files.ts';
import { allowUpload } from '../../http/request-time.ts';
import { BodyFault, discardRest, saveBody } from '../../http/save-body.ts';
import { createUploadSlots, NoSlotError } from '../../http/upload-slots.ts';
import { withTemporaryDirectory } from '../../platform/temporary-directory.ts';
import type { MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** A complete temporary file with its hash. */
export interface ReceivedFile extends FileContent {
  path: string;
}

/** Limits concurrent uploads, in all and by company. Each one uses disk space and a PDF process. */
const withSlot = createUploadSlots({ all: 48, perClient: 12 });
const busySeconds = 2;

/**
 * Passes the request, whose body is a file, to `use`, and extends the request's time limit. Throws `too_many_tries` if
 * the company has too many uploads at once.
 */
export async function withUpload<Result>(
  { upload, caller }: MemberCall<unknown>,
  use: (request: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  const request = upload as IncomingMessage;
  // Refused uploads are read too, so that the browser gets the answer.
  allowUpload(request);
  try {
    return await withSlot(caller.membership.account_id, () => use(request));
  } catch (error) {
    if (!(error instanceof NoSlotError)) throw error;
    throw new ConsoleError('too_many_tries', { retryAfterSeconds: busySeconds, cause: error });
  } finally {
    discardRest(request, fileBytesMax);
  }
}

/**
 * Streams the body of a request to a temporary file, which exists until `use` ends. Throws `file_too_large`,
 * `invalid_input` for a body that is empty or incomplete, and the errors of `withUpload`.
 */
export function withReceivedFile<Result>(
  call: MemberCall<unknown>,
  use: (file: ReceivedFile) => Promise<Result>,
): Promise<Result> {
  return withUpload(call, async (request) => {
    if ((declaredBytesOf(request) ?? 0) > fileBytesMax) throw new ConsoleError('file_too_large');
    return withTemporaryDirectory(async (directory) => use(await receive(request, join(directory, 'file'))));
  });
}

/**
 * Reads the body of a request into memory and passes it to `use`. Throws `file_too_large`, `invalid_input` for a body that is
 * empty or incomplete, and the errors of `withUpload`.
 */
export function withReceivedBytes<Result>(
  call: MemberCall<unknown>,
  bytesMax: number,
  use: (bytes: Uint8Array) => Promise<Result>,
): Promise<Result> {
  return withUpload(call, async (request) => {
    if ((declaredBytesOf(request) ?? 0) > bytesMax) throw new ConsoleError('file_too_large');
    return use(await read(request, bytesMax));
  });
}

async function read(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new ConsoleError('file_too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ConsoleError || request.complete
      ? error
      : new ConsoleError('invalid_input', { cause: error });
  }
  if (bytes === 0) throw new ConsoleError('invalid_input', { param: 'file' });
  return Buffer.concat(chunks);
}

/** Returns the declared length of a body, or null for a chunked body. */
export function declaredBytesOf({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

async function receive(request: IncomingMessage, path: string): Promise<ReceivedFile> {
  const saved = await saveBody(request, path, fileBytesMax).catch((error) => {
    if (!(error instanceof BodyFault)) throw error;
    throw new ConsoleError(error.kind === 'too_large' ? 'file_too_large' : 'invalid_input', { cause: error });
  });
  if (saved.bytes === 0) throw new ConsoleError('invalid_input', { param: 'file' });
  return saved;
}
