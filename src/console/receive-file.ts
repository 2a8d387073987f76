import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileBytesMax } from '../documents/attach-file.ts';
import type { FileContent } from '../documents/stored-files.ts';
import { ConsoleError } from './console-error.ts';

/** A temporary file, whole and hashed. */
export interface ReceivedFile extends FileContent {
  path: string;
}

/** Each takes its place on the disk, and a process that looks at it. */
const underWayMax = 8;
const busySeconds = 5;
let underWay = 0;

/**
 * Streams the body of a request to a temporary file for as long as `use` takes. Throws `file_too_large`, `too_many_tries`
 * while others bring theirs, and `invalid_input` for a body that is empty or breaks off.
 */
export async function withReceivedFile<Result>(
  request: IncomingMessage,
  use: (file: ReceivedFile) => Promise<Result>,
): Promise<Result> {
  if (Number(request.headers['content-length'] ?? 0) > fileBytesMax) throw new ConsoleError('file_too_large');
  if (underWay >= underWayMax) throw new ConsoleError('too_many_tries', { retryAfterSeconds: busySeconds });
  underWay += 1;
  const directory = await mkdtemp(join(tmpdir(), 'countersign-upload-'));
  try {
    return await use(await receive(request, join(directory, 'file')));
  } finally {
    await rm(directory, { recursive: true, force: true });
    underWay -= 1;
    // Browsers listen only after they have sent all: what is left is read and thrown away, while the server's time lasts.
    request.resume();
  }
}

async function receive(request: IncomingMessage, path: string): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured() {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > fileBytesMax) throw new ConsoleError('file_too_large');
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(measured(), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error) => {
    throw request.complete ? error : new ConsoleError('invalid_input', { cause: error });
  });
  if (bytes === 0) throw new ConsoleError('invalid_input', { param: 'file' });
  return { path, bytes, sha256: hash.digest() };
}
