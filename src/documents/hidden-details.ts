import { createHash, createHmac } from 'node:crypto';
import { systemRandom } from '../platform/random.ts';

/**
 * Details that a sealed PDF has only salted hashes of: SHA-256 of the 32 bytes of a random salt and the UTF-8 text. Someone
 * who gets the text and its salt can check that they are the ones in the PDF.
 */

/** The text behind a salted hash, and the salt in hex. */
export interface Opening {
  value: string;
  salt: string;
}

/** What an audit entry has only salted hashes of, by the name of the detail. */
export type Openings = Record<string, Opening>;

type Detail = Record<string, unknown>;

/** Details of an audit entry that say from where someone acted. */
const deviceDetails = ['ip', 'user_agent'];

const saltBytes = 32;

/** Returns the hash in hex. */
export function saltedHash({ value, salt }: Opening): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(value).digest('hex');
}

/** Replaces the IP address and the device in the detail of an audit entry by salted hashes. */
export function hideDevice(detail: Detail): { detail: Detail; openings: Openings | null } {
  const openings: Openings = {};
  for (const name of deviceDetails) {
    const value = detail[name];
    if (typeof value === 'string') openings[name] = { value, salt: systemRandom.bytes(saltBytes).toString('hex') };
  }
  const hidden = Object.entries(openings).map(([name, opening]) => [name, { sha256: saltedHash(opening) }]);
  if (hidden.length === 0) return { detail, openings: null };
  return { detail: { ...detail, ...Object.fromEntries(hidden) }, openings };
}

/** Returns the detail of an audit entry with the texts instead of their hashes. */
export function openDetail({ detail, openings }: { detail: Detail; openings?: Openings | null }): Detail {
  const opened = Object.entries(openings ?? {}).map(([name, { value }]) => [name, value]);
  return { ...detail, ...Object.fromEntries(opened) };
}

/** Makes the salt of a recipient's contact details. */
export function newContactSalt(): Buffer {
  return systemRandom.bytes(saltBytes);
}

/** Returns what opens a contact detail. The address and the number have different salts, so that one can be opened alone. */
export function contactOpening(contactSalt: Buffer, name: 'email' | 'phone', value: string): Opening {
  return { value, salt: createHmac('sha256', contactSalt).update(name).digest('hex') };
}
