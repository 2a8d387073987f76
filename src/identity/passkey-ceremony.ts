import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { drawChallenge, useChallenge } from './passkey-challenge.ts';
import { findPasskey, insertPasskey, listPasskeys, markPasskeyUsed, type Passkey } from './passkeys.ts';
import type { Person } from './people.ts';

/** Passkeys belong to a name, never to an IP address: there are none at `http://127.0.0.1:3000`, but at `localhost`. */
export function passkeyHost(origin: string): string | null {
  const { hostname } = new URL(origin);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? null : hostname;
}

/** EdDSA, ECDSA and RSA with SHA-256, as COSE numbers them: one of them is in every device. */
const algorithms = [-8, -7, -257];

interface Site {
  origin: string;
  host: string;
}

/** Only where somebody uses passkeys: the library takes a while to load. */
const webauthn = () => import('@simplewebauthn/server');

export async function registrationOptions(
  world: World,
  db: Queryable,
  { host }: Site,
  person: Person,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const [{ generateRegistrationOptions }, known, challenge] = await Promise.all([
    webauthn(),
    listPasskeys(db, person.id),
    drawChallenge(world, db, person.id),
  ]);
  return generateRegistrationOptions({
    rpName: 'Countersign',
    rpID: host,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    challenge: bytesOf(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Null for an answer that does not hold, or a key that is known already. */
export async function registerPasskey(
  world: World,
  db: Queryable,
  { origin, host }: Site,
  person: Person,
  name: string,
  response: unknown,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await unlessMalformed(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => useChallenge(world, db, person.id, challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (verified?.verified !== true) return null;
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  return insertPasskey(world, db, {
    person_id: person.id,
    credential_id: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports: knownTransports(transports),
    name,
  });
}

/** WebAuthn Level 3, 5.8.4. */
const transportNames = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'];

/** The names that browsers know. The library passes on what the browser sent, which nothing signs: it may be anything. */
function knownTransports(given: unknown): string[] {
  return Array.isArray(given) ? transportNames.filter((name) => given.includes(name)) : [];
}

export async function signInOptions(
  world: World,
  db: Queryable,
  { host }: Site,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const [{ generateAuthenticationOptions }, challenge] = await Promise.all([
    webauthn(),
    drawChallenge(world, db, null),
  ]);
  // No list of keys: it would tell who has some. The device knows those of this site.
  return generateAuthenticationOptions({ rpID: host, challenge: bytesOf(challenge), userVerification: 'required' });
}

/** Base64url of at most 1023 bytes (WebAuthn Level 3, 4). */
const credentialId = /^[\w-]{1,1364}$/;

/** Whose key answered, with the person's finger or PIN; null for anything else. */
export async function verifyPasskey(
  world: World,
  db: Queryable,
  { origin, host }: Site,
  response: unknown,
): Promise<Passkey | null> {
  const { id } = response as { id?: unknown };
  const passkey = typeof id === 'string' && credentialId.test(id) ? await findPasskey(db, id) : null;
  if (passkey === null) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await unlessMalformed(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => useChallenge(world, db, null, challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  if (verified?.verified !== true) return null;
  await markPasskeyUsed(world, db, passkey.id, verified.authenticationInfo.newCounter);
  return passkey;
}

/** The library throws for whatever is wrong with an answer; the database's own failures are not the answer's fault. */
async function unlessMalformed<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  try {
    return await verify();
  } catch (error) {
    if ((error as Error).name === 'DatabaseFailure') throw error;
    return null;
  }
}

/** The library encodes what it is given as base64url: of these bytes that is the challenge as it was drawn. */
function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}
