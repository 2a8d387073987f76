import type { JsonAnswer } from './request-json.ts';
import { SigningKeyError } from './signing-key.ts';

export interface AccessToken {
  value: string;
  lifetimeMs: number;
}

/** An access token that is fetched when it is needed, and again shortly before it ends. */
export interface AccessTokens {
  /** Concurrent calls share one request. A failed request is not remembered. */
  get(): Promise<string>;
  /** Forgets a token that was refused, unless another one has replaced it. */
  drop(value: string): void;
}

/** Tokens usually last an hour. A short one is used for half of its lifetime. */
const renewedBeforeEndMs = 300_000;

export function createAccessTokens(fetchToken: () => Promise<AccessToken>): AccessTokens {
  let current: { value: string; renewAt: number } | null = null;
  let pending: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    try {
      const { value, lifetimeMs } = await fetchToken();
      const usableMs = Math.max(lifetimeMs - renewedBeforeEndMs, lifetimeMs / 2);
      current = { value, renewAt: performance.now() + usableMs }; // not the clock, which may be set
      return value;
    } finally {
      pending = null;
    }
  };

  return {
    async get() {
      if (current !== null && performance.now() < current.renewAt) return current.value;
      pending ??= renew();
      return pending;
    },
    drop(value) {
      if (current?.value === value) current = null;
    },
  };
}

/** Sends a request with a token. When the token is refused (401), sends it once more with a new one. */
export async function requestWithToken(
  tokens: AccessTokens,
  request: (token: string) => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  const token = await tokens.get();
  const answer = await request(token);
  if (answer.status !== 401) return answer;
  tokens.drop(token);
  return request(await tokens.get());
}

/**
 * Reads a token from an OAuth 2.0 answer (RFC 6749, 5.1), or from Azure's, which may have `expires_on` in its place.
 *
 * @throws a `SigningKeyError` when there is no token, or one that doesn't fit into a header.
 */
export function readAccessToken(provider: string, { body }: JsonAnswer): AccessToken {
  const { access_token: value, expires_in: seconds, expires_on: endsAt } = body;
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new SigningKeyError(`${provider} answered without an access token`);
  }
  const lifetimeMs = seconds === undefined ? numberOf(endsAt) * 1000 - Date.now() : numberOf(seconds) * 1000;
  return { value, lifetimeMs: Number.isFinite(lifetimeMs) ? Math.max(lifetimeMs, 0) : 0 };
}

function numberOf(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
}
