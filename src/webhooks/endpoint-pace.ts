/** Maximum rate limit of an endpoint, in deliveries per second. */
export const rateLimitMax = 1000;

/**
 * SQL of the rate limit of endpoints. `p` is the endpoint and `now` a parameter. A token bucket, kept as the time until which
 * the endpoint is paced: each claimed delivery moves it by a spacing. A tenth of the limit may be claimed at once, and the
 * spacing is so much longer that no second has more deliveries than the limit.
 */
const burst = 'greatest(1, p.rate_limit / 10)';
const spacingSeconds = `(1.0 / (p.rate_limit - ${burst} + 1))`;

/**
 * The time until which the endpoint is paced, or now. A claim sets it at most a second ahead. A time that is much later was set
 * before a clock was set back, and is ignored. Clocks that differ by a few seconds still share the limit.
 */
function pacedFrom(now: string): string {
  return `greatest(case when p.paced_until <= ${now} + interval '10 seconds' then p.paced_until end, ${now})`;
}

/** The number of deliveries that may be claimed now. */
export function tokensAt(now: string): string {
  return `floor(${burst} - extract(epoch from ${pacedFrom(now)} - ${now}) / ${spacingSeconds})::int`;
}

/** The new time until which the endpoint is paced, after `claimed` deliveries. */
export function pacedUntil(now: string, claimed: string): string {
  return `${pacedFrom(now)} + ${claimed} * ${spacingSeconds} * interval '1 second'`;
}

/** Milliseconds after which all tokens are there again. */
export const refillMs = `(1000 * ${burst} * ${spacingSeconds})::float8`;
