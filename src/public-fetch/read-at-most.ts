import type { Readable } from 'node:stream';
import { PublicFetchError } from './public-fetch-error.ts';

export interface ReadBody {
  /** At most `bytesMax`. */
  bytes: Buffer;
  /** Whether the body is complete. */
  isComplete: boolean;
  /** Why the body ended early. Null if it was only too long. */
  failure: PublicFetchError | null;
}

/**
 * Reads the first `bytesMax` bytes of a body. It closes the connection after that, or after `withinMs` (default: the
 * call's deadline). Never throws: failures are in the result.
 */
export async function readAtMost(body: Readable, bytesMax: number, withinMs?: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  const result = (isComplete: boolean, failure: PublicFetchError | null) => ({
    bytes: Buffer.concat(chunks).subarray(0, bytesMax),
    isComplete,
    failure,
  });
  const expire = () =>
    body.destroy(new PublicFetchError('timeout', `the response did not end within ${withinMs} ms of its headers`));
  const timer = withinMs === undefined ? undefined : setTimeout(expire, withinMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      readBytes += chunk.length;
      if (readBytes > bytesMax) return result(false, null); // leaving the loop destroys the body
    }
    return result(true, null);
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error;
    return result(false, error);
  } finally {
    clearTimeout(timer);
  }
}
