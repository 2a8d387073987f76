import type { StampValidity } from '../pdf/reading/last-stamp.ts';

const marginMs = 90 * 86_400_000;

/** Returns when a file gets its next time-stamp: 90 days before this one ends, or after two thirds of a short validity. */
export function renewalTime({ at, until }: StampValidity): Date {
  const validMs = Math.max(0, until.getTime() - at.getTime());
  return new Date(until.getTime() - Math.min(marginMs, validMs / 3));
}
