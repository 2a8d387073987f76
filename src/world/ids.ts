import { v7 } from 'uuid';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type NewId = () => string;

/** Below half of the 32-bit sequence, so that it can count on within a millisecond. */
const firstSequenceMax = 0x7fff_ffff;
const sequenceMax = 0xffff_ffff;

/**
 * Makes UUIDv7 identifiers (RFC 9562) from the injected clock, so that "newest first" is `id desc`. Ids that one process
 * makes in the same millisecond ascend, and so do ids made after the clock was set back.
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

/** The id before all that were made at that moment or later. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When an id was made. */
export function madeAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return uuid.test(value);
}
