import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isDiskError } from './disk-error.ts';

/** A request body that was saved to a file. */
export interface SavedBody {
  path: string;
  bytes: number;
  sha256: Buffer;
}

/** Thrown for a body that is longer than the limit, or that the client did not finish. */
export class BodyFault extends Error {
  readonly kind: 'too_large' | 'incomplete';

  constructor(kind: BodyFault['kind'], options?: ErrorOptions) {
    super(`the body is ${kind === 'too_large' ? 'too large' : 'incomplete'}`, options);
    this.name = 'BodyFault';
    this.kind = kind;
  }
}

/**
 * Streams a request body to a new file. The request stays open for the answer. Throws a `BodyFault`, and errors of the disk as they
 * are.
 */
export async function saveBody(request: IncomingMessage, path: string, bytesMax: number): Promise<SavedBody> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured() {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new BodyFault('too_large');
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(measured(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (error instanceof BodyFault || request.complete || isDiskError(error)) throw error;
    throw new BodyFault('incomplete', { cause: error });
  }
  return { path, bytes, sha256: hash.digest() };
}

/**
 * Reads and drops the rest of a refused body, because browsers read the answer only after sending everything. Closes the connection
 * after `bytesMax`.
 */
export function discardRest(request: IncomingMessage, bytesMax: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) request.destroy();
  });
  request.resume();
}
