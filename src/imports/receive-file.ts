import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { PublicFetchError } from '../world/public-fetch.ts';
import type { FailureReason } from './import.ts';
import { headBytes, kindOfBytes } from './kind-of-bytes.ts';
import type { FetchableContent, OpenedContent } from './sources/source-file.ts';

export type Received =
  | { kind: 'received'; path: string; sha256: Buffer; bytes: number }
  | { kind: 'failed'; reason: FailureReason }
  /** The way there broke: worth another attempt. */
  | { kind: 'broken' }
  /** It came too slowly. */
  | { kind: 'slow' };

type ContentRules = Pick<FetchableContent, 'bytesMax' | 'tooLarge' | 'htmlMeans'>;
type Opened = Pick<Extract<OpenedContent, { kind: 'opened' }>, 'declaredBytes' | 'body'>;

/** A source has to bring this much in each span of time, or end: one that drips would hold its place for hours. */
const paceBytesMin = 262_144;
const paceMs = 20_000;

/**
 * Streams a file to `path`, hashing and counting what comes. What is not a PDF, or is too large, is given up at the byte
 * that shows it, whatever was declared; then, and when it throws, nothing is left at `path`.
 */
export async function receiveFile(content: ContentRules, opened: Opened, path: string): Promise<Received> {
  const { body, declaredBytes } = opened;
  if (declaredBytes !== null && declaredBytes > content.bytesMax) {
    body.destroy();
    return { kind: 'failed', reason: content.tooLarge };
  }
  const received = await write(content, opened, path).catch(async (error) => {
    body.destroy();
    await rm(path, { force: true });
    throw error;
  });
  if (received.kind !== 'received') await rm(path, { force: true });
  return received;
}

async function write(content: ContentRules, { body }: Opened, path: string): Promise<Received> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  const pace = keepPace(body);
  let head: Buffer | null = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      pace.count(chunk.length);
      // Leaving the loop destroys the body, and with it the connection.
      if (bytes > content.bytesMax) return { kind: 'failed', reason: content.tooLarge };
      if (head !== null) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes)]);
        const reason = refusalOf(content, head, bytes >= headBytes);
        if (reason !== null) return { kind: 'failed', reason };
        if (bytes >= headBytes) head = null;
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } catch (error) {
    if (pace.isTooSlow) return { kind: 'slow' };
    if (error instanceof PublicFetchError && error.kind !== 'aborted') return { kind: 'broken' };
    throw error;
  } finally {
    pace.end();
    await file.close();
  }
  if (head !== null) {
    const reason = refusalOf(content, head, true);
    if (reason !== null) return { kind: 'failed', reason };
  }
  return { kind: 'received', path, sha256: hash.digest(), bytes };
}

function refusalOf(content: ContentRules, head: Buffer, isWhole: boolean): FailureReason | null {
  const kind = kindOfBytes(head);
  if (kind === 'html') return content.htmlMeans;
  return kind === 'other' && isWhole ? 'unsupported_type' : null;
}

function keepPace(body: Opened['body']) {
  let bytesInSpan = 0;
  let isTooSlow = false;
  const timer = setInterval(() => {
    isTooSlow = bytesInSpan < paceBytesMin;
    bytesInSpan = 0;
    if (isTooSlow) body.destroy(new PublicFetchError('timeout', 'the file comes too slowly'));
  }, paceMs);
  return {
    count(bytes: number) {
      bytesInSpan += bytes;
    },
    get isTooSlow() {
      return isTooSlow;
    },
    end: () => clearInterval(timer),
  };
}
