import type { Readable } from 'node:stream';
import { PublicFetchError } from './public-fetch-error.ts';

export interface ReadBody {
  /** At most `bytesMax`. */
  bytes: Buffer;
  /** Whether this is all of it. */
  isComplete: boolean;
  /** Why it ended early, unless it was too long. */
  failure: PublicFetchError | null;
}

/**
 * The beginning of a response's body. What comes after `bytesMax`, or after `withinMs` (else the call's own deadline), is
 * not waited for: the connection is closed. Never throws for what goes wrong on the way.
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
