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

/** The 429 for an account out of budget. The message names the budget that lasts longest, which is the one to wait for. */
export function rateLimitExceeded(state: RateState, now: Date): ApiError {
  const daily = state.remainingDaily <= 0;
  const opensAt = daily ? dayEndsAt(state.window) : minuteEndsAt(state.window);
  return new ApiError('rate_limit_exceeded', {
    message: daily
      ? `The plan's budget of ${state.limitDaily} requests per day is used up. It resets at 00:00 UTC.`
      : `The plan's budget of ${state.limitBurst} requests per minute is used up.`,
    retryAfterSeconds: Math.max(1, Math.ceil(opensAt - now.getTime() / 1000)),
  });
}
