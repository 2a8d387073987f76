import { readResponse } from '../../platform/read-response.ts';
import { SigningKeyError } from './signing-key.ts';

export interface JsonAnswer {
  status: number;
  /** Empty when the answer is not a JSON object, or larger than 64 KiB. */
  body: Record<string, unknown>;
}

const answerBytesMax = 65_536;

/**
 * Sends a request to a key provider and reads the JSON object in the answer. Doesn't follow redirects.
 *
 * `provider` is the start of the error messages. `signal` also limits the time for reading the answer.
 *
 * @throws a `SigningKeyError` when there is no complete answer in time. Its message holds no header.
 */
export async function requestJson(
  provider: string,
  url: string | URL,
  options: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, { ...options, redirect: 'error' });
    return { status: response.status, body: parseObject(await readResponse(response, answerBytesMax)) };
  } catch (error) {
    throw new SigningKeyError(explain(provider, error as Error));
  }
}

/** One line of what a provider says, at most 200 characters. */
export function excerpt(text: unknown): string {
  const given = typeof text === 'string' && text !== '' ? text : 'no message';
  return given.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 200);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The message of an error without a cause may quote a header. */
function explain(provider: string, error: Error): string {
  if (error.name === 'TimeoutError') return `${provider} did not answer in time`;
  const cause = error.cause instanceof Error ? error.cause : null;
  if (cause?.name === 'TimeoutError') return `${provider} did not answer in time`;
  return `${provider} cannot be reached: ${cause?.message || 'the request failed'}`;
}
