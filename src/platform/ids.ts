import { v7 } from 'uuid';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type NewId = () => string;

/** Less than half of the 32-bit sequence, so that it can increase within a millisecond. */
const firstSequenceMax = 0x7fff_ffff;
const sequenceMax = 0xffff_ffff;

/**
 * Creates UUIDv7 ids (RFC 9562) from the injected clock, so that "newest first" is `id desc`. Ids of one process
 * ascend, also within a millisecond and after the clock was set back.
 */
export function createNewId(clock: Clock, random: Random): NewId {
  let msecs = -1;
  let seq = 0;

  return () => {
    const now = clock.now().getTime();
    const bytes = random.bytes(16);
    if (now > msecs) {
      msecs = now;
      seq = bytes.readUInt32BE(6) & firstSequenceMax;
    } else if (seq < sequenceMax) {
      seq += 1;
    } else {
      msecs += 1;
      seq = 0;
    }
    return v7({ msecs, seq, random: bytes });
  };
}

/** Returns the lowest id of a moment: all ids created then or later are greater. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Ids are created shortly before the times of their rows, and clocks are set back. */
const toleranceMs = 60_000;
const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Returns the ids, from `low` to before `high`, that the rows of some time can have. Rows at its ends may not be of that time.
 * Null: without an end.
 */
export function idsBetween(from: Date | null, to: Date | null): { low: string; high: string } {
  return {
    low: from === null ? lowestId : firstIdAt(new Date(from.getTime() - toleranceMs)),
    high: to === null ? highestId : firstIdAt(new Date(to.getTime() + toleranceMs)),
  };
}

/** Returns the time when an id was created. */
export function madeAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return uuid.test(value);
}
