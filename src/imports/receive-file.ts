import { PublicFetchError } from '../public-fetch/public-fetch.ts';
import { type ContentRules, type Saved, saveFile } from './save-file.ts';
import type { OpenedContent } from './sources/source-file.ts';

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
