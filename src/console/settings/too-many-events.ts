import { TooManyEvents } from '../../webhooks/redelivery-limits.ts';
import { ConsoleError } from '../core/console-error.ts';

/** Throws `too_many_events` when more match than one action redelivers. */
export async function unlessTooMany<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyEvents) throw new ConsoleError('too_many_events', { cause: error });
    throw error;
  }
}
