import { ApiError, CountersignError } from '../../packages/client/src/index.ts';

/** Not a code of the protocol: it is the number that servers are free to use. */
const serverError = -32_000;

/** An answer that comes before the protocol. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', error: { code: serverError, message }, id: null };
  return Response.json(body, { status, headers });
}

export function unauthorized(message: string, error?: 'invalid_token'): Response {
  const challenge = error === undefined ? '' : `, error="${error}"`;
  return refusal(401, message, { 'www-authenticate': `Bearer realm="Countersign"${challenge}` });
}

/** What a key gets that the API does not admit. Null for an error that is a fault of this server. */
export function admissionRefusal(error: unknown): Response | null {
  if (error instanceof ApiError) {
    const { status, code, message, requestId, retryAfterSeconds } = error;
    const text = `${message} (${[code, requestId].filter((detail) => detail !== null).join(', ')})`;
    if (status === 401) return unauthorized(text, 'invalid_token');
    if (status === 429) return refusal(429, text, { 'retry-after': String(retryAfterSeconds ?? 1) });
    return refusal(status === 403 ? 403 : 502, text);
  }
  return error instanceof CountersignError ? refusal(502, error.message) : null;
}
