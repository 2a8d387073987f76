import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type NewId = () => string;

/**
 * UUIDv7 (RFC 9562) from the injected clock: "newest first" is then `id desc` (decisions.md, Documents).
 * Ids made by one process in the same millisecond still ascend: the 12 bits after the timestamp count.
 */
export function createNewId(clock: Clock, random: Random): NewId {
  let lastMs = -1;
  let counter = 0;

  return () => {
    const ms = Math.max(clock.now().getTime(), lastMs);
    const bytes = random.bytes(16);
    if (ms === lastMs) {
      counter += 1;
    } else {
      lastMs = ms;
      counter = bytes.readUInt16BE(6) & 0x3ff; // leaves room to count within the millisecond
    }
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
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
