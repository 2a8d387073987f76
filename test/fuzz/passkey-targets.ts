import { registerPasskey, verifyPasskey } from '../../src/identity/passkey-ceremony.ts';
import type { Passkey } from '../../src/identity/passkeys.ts';
import type { Person } from '../../src/identity/people.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { World } from '../../src/platform/world.ts';
import type { Queryable, Statement } from '../../src/postgres/database.ts';
import { createPasskey } from '../support/passkey.ts';
import { assertSo, type Target } from './target.ts';

const site = { origin: 'https://sign.example.com', host: 'sign.example.com' };
const challenge = 'c'.repeat(43);
const person = { id: 'p', email: 'jane@example.com' } as Person;
const newId = createNewId(systemClock, systemRandom);
const world: World = { clock: systemClock, random: systemRandom, newId, log: createLog('silent') };

const passkey = createPasskey(site.origin, 'fuzz');
const answer = passkey.answer(challenge);
const answered = Buffer.from(String(answer.response.authenticatorData), 'base64url');
const stored = {
  id: 'k',
  person_id: person.id,
  credential_id: passkey.credentialId,
  public_key: passkey.publicKey,
  counter: 0,
  transports: [],
  name: 'Phone',
};

/** Answers like PostgreSQL: the challenge is open, the key is known, and text has no U+0000. */
const database: Queryable = {
  async query<Row>({ name, values }: Statement<Row>): Promise<Row[]> {
    const texts = values.flat().filter((value) => typeof value === 'string');
    assertSo(!texts.some((text) => text.includes('\0')), 'text can be stored');
    const rows: unknown[] = answerOf(name, values);
    return rows as Row[];
  },
};

function answerOf(name: string, values: unknown[]): unknown[] {
  if (name === 'use_passkey_challenge') return [{}];
  if (name === 'find_passkey') return values[0] === stored.credential_id ? [stored] : [];
  return name === 'insert_passkey' ? [readInserted(values)] : [];
}

function readInserted([id, , credentialId, key, counter, transports]: unknown[]): Partial<Passkey> {
  assertSo(String(credentialId).length <= 1364 && Buffer.isBuffer(key), 'a key and its id are bounded');
  assertSo(
    Number.isInteger(counter) && Array.isArray(transports) && transports.length <= 7,
    'what is stored is bounded',
  );
  return { id: String(id) };
}

const json = [
  '{',
  '}',
  '[',
  ']',
  'null',
  '"id":',
  '"response":',
  '"transports":["usb"],',
  '"\\u0000"',
  'A'.repeat(2000),
];
/** CBOR with wrong lengths, nesting, tags and indefinite lengths. */
const cbor = [
  ...['\x9b\xff\xff\xff\xff\xff\xff\xff\xff', '\x5b\x00\x00\x00\x01\x00\x00\x00\x00', '\xbf', '\x9f', '\xff', '\xa0'],
  ...['\x81'.repeat(500), '\xc0', '\xf6', '\xfb\x7f\xf8\x00\x00\x00\x00\x00\x00', 'fmt', 'fpacked', 'hfido-u2f'],
];

const register = (response: unknown) => registerPasskey(world, database, site, person, 'Phone', response);
const registration = Buffer.from(JSON.stringify(passkey.registration(challenge)));

/** A browser's answers about a passkey (WebAuthn), with the authenticator's CBOR. */
export const passkeyTargets: Target[] = [
  {
    name: 'passkey-json',
    seeds: [registration, Buffer.from(JSON.stringify(answer))],
    dictionary: json,
    msMax: 2000,
    run: async (bytes) => {
      const response = readObject(bytes);
      if (response === null) return;
      await register(response);
      const verified = await verifyPasskey(world, database, site, response);
      const isSame = (part: string) => isSameBytes(partOf(response, part), answer.response[part]);
      assertSo(
        verified === null || ['authenticatorData', 'clientDataJSON'].every(isSame),
        'only what the key signed signs in',
      );
    },
  },
  {
    name: 'passkey-attestation',
    seeds: [passkey.attestation()],
    dictionary: cbor,
    msMax: 2000,
    run: (bytes) => register(passkey.registration(challenge, bytes)),
  },
  {
    name: 'passkey-authenticator',
    seeds: [answered],
    dictionary: cbor,
    msMax: 2000,
    run: async (bytes) => {
      const verified = await verifyPasskey(world, database, site, passkey.answer(challenge, bytes));
      const [isOfSite, isVerified] = [bytes.subarray(0, 32).equals(answered.subarray(0, 32)), (bytes[32] ?? 0) & 4];
      assertSo(verified === null || (isOfSite && isVerified !== 0), 'it is for this site, and the person was verified');
    },
  },
];

function readObject(bytes: Buffer): object | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function partOf(response: object, part: string): unknown {
  return (response as { response?: Record<string, unknown> }).response?.[part];
}

/** Base64url has several spellings of the same bytes. */
function isSameBytes(a: unknown, b: unknown): boolean {
  return Buffer.from(String(a), 'base64url').equals(Buffer.from(String(b), 'base64url'));
}
