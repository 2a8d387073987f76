import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { headBytes } from '../pdf/pdf-header.ts';
import { PublicFetchError } from '../public-fetch/public-fetch.ts';
import type { FailureReason } from './import.ts';
import { kindOfBytes } from './kind-of-bytes.ts';
import type { FetchableContent, OpenedContent } from './sources/source-file.ts';

export type Received =
  | Saved
  /** The connection broke; another attempt may succeed. */
  | { kind: 'broken' }
  /** The file came too slowly. */
  | { kind: 'slow' };

type Opened = Pick<Extract<OpenedContent, { kind: 'opened' }>, 'declaredBytes' | 'body'>;

/** A source must send this many bytes per interval. A slower one would hold its slot for hours. */
const paceBytesMin = 262_144;
const paceMs = 20_000;

/**
 * Saves a downloaded file. Ends the download at the first byte that shows that the file isn't a PDF or is too large,
 * whatever was declared. In that case, and if it throws, nothing is left at `path`.
 */
export async function receiveFile(content: ContentRules, opened: Opened, path: string): Promise<Received> {
  const { body, declaredBytes } = opened;
  if (declaredBytes !== null && declaredBytes > content.bytesMax) {
    body.destroy();
    return { kind: 'failed', reason: content.tooLarge };
  }
  const pace = keepPace(body);
  try {
    return await saveFile(content, body, path, pace.count);
  } catch (error) {
    body.destroy();
    if (pace.isTooSlow) return { kind: 'slow' };
    if (error instanceof PublicFetchError && error.kind !== 'aborted') return { kind: 'broken' };
    throw error;
  } finally {
    pace.end();
  }
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

export type Saved =
  | { kind: 'received'; path: string; sha256: Buffer; bytes: number }
  | { kind: 'failed'; reason: FailureReason };

export type ContentRules = Pick<FetchableContent, 'bytesMax' | 'tooLarge'> &
  Pick<Extract<OpenedContent, { kind: 'opened' }>, 'htmlReason'>;

/**
 * Streams a file to `path`, hashing and counting its bytes. Stops at the first byte that shows that it isn't a PDF or is
 * too large. In that case, and if reading `body` or calling `onBytes` throws, nothing is left at `path`.
 */
export async function saveFile(
  content: ContentRules,
  body: AsyncIterable<Buffer>,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<Saved> {
  const saved = await write(content, body, path, onBytes).catch(async (error) => {
    await rm(path, { force: true });
    throw error;
  });
  if (saved.kind === 'failed') await rm(path, { force: true });
  return saved;
}

async function write(
  content: ContentRules,
  body: AsyncIterable<Buffer>,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<Saved> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let head: Buffer | null = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      onBytes(chunk.length);
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
  } finally {
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
  if (kind === 'html') return content.htmlReason;
  return kind === 'other' && isWhole ? 'unsupported_type' : null;
}
