import type { RefusalCode } from '../script-contract.ts';
import { element, texts } from './elements.ts';

export type Answer = { kind: 'done' } | { kind: 'refused'; code: RefusalCode | null } | { kind: 'unreachable' };

const answerWithinMs = 20_000;

/** POSTs to `/sign/<token>/<action>`. The server is idempotent: an answer that got lost can be asked for again. */
export async function post(action: 'viewed' | 'sign' | 'decline', body: object): Promise<Answer> {
  try {
    const response = await fetch(`${element('page').dataset.address}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return response.ok ? { kind: 'done' } : { kind: 'refused', code: await refusalCode(response) };
  } catch {
    return { kind: 'unreachable' };
  }
}

/** Null for an answer that is not the service's own, such as a proxy's error page. */
async function refusalCode(response: Response): Promise<RefusalCode | null> {
  const answer: unknown = await response.json().catch(() => null);
  const code = (answer as { error?: { code?: unknown } } | null)?.error?.code;
  return typeof code === 'string' && Object.hasOwn(texts().refusals, code) ? (code as RefusalCode) : null;
}
