import { type PublicFetch, readAtMost } from '../public-fetch/public-fetch.ts';

/** The answer of a provider is larger than any that is needed. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

/** Far above any discovery document, set of keys or token. */
export const answerBytesMax = 512 * 1024;

/** What `openid-client` passes to its fetch. */
interface GivenOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * The fetch of the OpenID Connect library: through the guard for addresses that users name, with limits on time and size. Redirects
 * are not followed. Throws `PublicFetchError` and `AnswerTooLarge`.
 */
export function createGuardedFetch(publicFetch: PublicFetch, timeoutMs: number) {
  return async (url: string, { method, headers, body, signal }: GivenOptions): Promise<Response> => {
    const request = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      url,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
    };
    const answer = await publicFetch.fetch(request, { timeoutMs, ...(signal && { signal }) });
    const { bytes, isComplete, failure } = await readAtMost(answer.body, answerBytesMax);
    if (failure !== null) throw failure;
    if (!isComplete) throw new AnswerTooLarge('the answer is too large');
    const hasBody = ![204, 205, 304].includes(answer.status);
    const status = answer.status >= 200 && answer.status <= 599 ? answer.status : 502;
    const type = answer.headers['content-type'];
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };
}
