import type { EsignTokens } from './vendor/oauth.ts';

const secondsMax = 365 * 86_400;
/** Tokens are refreshed this long before they expire, but at most this share of their lifetime. */
const earlyMsMax = 300_000;
const earlyShare = 0.2;

/** Computes when an access token expires, and when to refresh it. */
export function tokenLifetime({ expiresInSeconds }: EsignTokens, now: Date): { endsAt: Date; refreshDueAt: Date } {
  const lifeMs = Math.min(Math.max(expiresInSeconds, 0), secondsMax) * 1000;
  const endsAt = now.getTime() + lifeMs;
  return { endsAt: new Date(endsAt), refreshDueAt: new Date(endsAt - Math.min(earlyMsMax, lifeMs * earlyShare)) };
}
