import type { Action, RefusalCode, RequestedDrawing } from '../script-contract.ts';
import { element, isPreview, texts } from './elements.ts';

export type Answer = Done | Refused | { kind: 'unreachable' };

export interface Done {
  kind: 'done';
  /** The new state for this recipient. */
  state: string;
  /** The verification code, in test mode only. */
  code?: string;
  /** The file that was kept, when one was sent. */
  file?: { id: string; name: string };
  /** The code for a phone, when one was requested. */
  drawing?: RequestedDrawing;
}

export interface Refused {
  kind: 'refused';
  code: RefusalCode | null;
  /** The mark or the id of the field that is concerned, if the server named it. */
  param?: string | undefined;
  /** Seconds to wait before another attempt, if the server gave them. */
  retryAfterSeconds: number | null;
}

const answerWithinMs = 20_000;
/** The slowest network that the pictures of a signature are sent over. */
const bytesPerMs = 4;
/** Browsers refuse more than 64 KiB of requests that outlive their page. */
const keepaliveBytesMax = 60_000;
/** A file may be sent from where the network is slow. */
const fileWithinMs = 300_000;

/**
 * POSTs to the page's address, `/sign/<token>/<action>`: JSON, or a file. Requests can be repeated, because the server is
 * idempotent.
 */
export async function post(action: Action, body: object): Promise<Answer> {
  if (isPreview()) return { kind: 'refused', code: 'preview_only', retryAfterSeconds: null };
  const content = body instanceof Blob ? body : JSON.stringify(body);
  const { size } = new Blob([content]);
  try {
    const response = await fetch(`${element('page').dataset.address}/${action}`, {
      method: 'POST',
      headers: { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' },
      body: content,
      cache: 'no-store',
      // The policy of the page forbids other hosts, and the answer is never a redirect on its own host.
      redirect: 'manual',
      // The page may close at once.
      keepalive: (action === 'finish' || action === 'progress') && size < keepaliveBytesMax,
      signal: AbortSignal.timeout(body instanceof Blob ? fileWithinMs : answerWithinMs + size / bytesPerMs),
    });
    if (response.type === 'opaqueredirect') return { kind: 'refused', code: 'page_moved', retryAfterSeconds: null };
    if (response.ok) return { kind: 'done', ...((await response.json()) as Omit<Done, 'kind'>) };
    return {
      kind: 'refused',
      ...(await errorOf(response)),
      retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
    };
  } catch {
    return { kind: 'unreachable' };
  }
}

/** Reads the error. The code is null for an answer that isn't the service's own, such as a proxy's error page. */
async function errorOf(response: Response): Promise<Pick<Refused, 'code' | 'param'>> {
  const answer = (await response.json().catch(() => null)) as { error?: { code?: string; param?: string } } | null;
  const { code = '', param } = answer?.error ?? {};
  return { code: Object.hasOwn(texts().refusals, code) ? (code as RefusalCode) : null, param };
}
