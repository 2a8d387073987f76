import { ApiError } from '../errors.ts';
import { dayEndsAt, minuteEndsAt, type RateWindow } from './rate-window.ts';

/** What is left of an account's budgets after a request, as the X-RateLimit headers tell it. */
export interface RateState {
  limitBurst: number;
  remainingBurst: number;
  limitDaily: number;
  remainingDaily: number;
  window: RateWindow;
}

export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit-burst': String(state.limitBurst),
    'x-ratelimit-remaining-burst': String(state.remainingBurst),
    'x-ratelimit-limit-daily': String(state.limitDaily),
    'x-ratelimit-remaining-daily': String(state.remainingDaily),
    'x-ratelimit-reset': String(minuteEndsAt(state.window)),
  };
}

/**
 * The 429 for an account whose budget has no room for so many units. The message names the budget that lasts longest,
 * which is the one to wait for.
 */
export function rateLimitExceeded(state: RateState, now: Date, units = 1): ApiError {
  const daily = state.remainingDaily < units;
  const opensAt = daily ? dayEndsAt(state.window) : minuteEndsAt(state.window);
  return new ApiError('rate_limit_exceeded', {
    message: daily
      ? `The plan's budget of ${state.limitDaily} requests per day ${lacks(units)}. It resets at 00:00 UTC.`
      : `The plan's budget of ${state.limitBurst} requests per minute ${lacks(units)}.`,
    retryAfterSeconds: Math.max(1, Math.ceil(opensAt - now.getTime() / 1000)),
  });
}

function lacks(units: number): string {
  return units === 1 ? 'is used up' : `has no room for the ${units} units that this request costs`;
}
