/** The one source of time. SQL never asks the server for `now()`: a test that moves the clock moves everything. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
