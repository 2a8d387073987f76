/** The only source of time. SQL never calls `now()`, so a test that moves the clock moves all times. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
