import type { EsignTokens } from '../world/esign-oauth.ts';

const secondsMax = 365 * 86_400;
const earlyMsMax = 300_000;
const earlyShare = 0.2;

/** Until when an access token counts, and from when on another is fetched: five minutes early, of a short one a fifth. */
export function lifeOf({ expiresInSeconds }: EsignTokens, now: Date): { endsAt: Date; refreshDueAt: Date } {
  const lifeMs = Math.min(Math.max(expiresInSeconds, 0), secondsMax) * 1000;
  const endsAt = now.getTime() + lifeMs;
  return { endsAt: new Date(endsAt), refreshDueAt: new Date(endsAt - Math.min(earlyMsMax, lifeMs * earlyShare)) };
}
