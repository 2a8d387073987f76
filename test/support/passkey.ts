import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { TestService } from './service.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

export interface SoftwarePasskey {
  /** The credential id, in base64url. */
  credentialId: string;
  /** The public half, as a COSE key. */
  publicKey: Buffer;
  /** An authenticator's answer at registration, without attestation. */
  attestation(): Buffer;
  /** A browser's answer to a challenge of `POST /passkeys/options`. */
  registration(challenge: string, attestation?: Buffer): { response: { [name: string]: unknown } };
  /** A browser's answer to a challenge of `POST /sign-in/passkey/options`. */
  answer(challenge: string, authenticatorData?: Buffer): { response: { [name: string]: unknown } };
}

const userPresentAndVerified = 0x05;
const credentialIncluded = 0x40;

/** Creates a passkey for the pages at `origin`. `name` is its credential id before encoding. */
export function createPasskey(origin: string, name: string): SoftwarePasskey {
  const { publicKey: key, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (value: string) => Buffer.from(value, 'base64url');
  // COSE_Key in CBOR: EC2, ES256, P-256, x, y.
  const publicKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    coordinate(x),
    Buffer.from('225820', 'hex'),
    coordinate(y),
  ]);
  const credentialId = Buffer.from(name).toString('base64url');
  const site = sha256(new URL(origin).hostname);
  const flagsAndCounter = (flags: number) => Buffer.from([flags, 0, 0, 0, 0]);
  const clientDataOf = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const sent = (response: Record<string, Buffer>) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([part, bytes]) => [part, bytes.toString('base64url')])),
  });

  function attestation() {
    const id = Buffer.from(name);
    const authenticatorData = Buffer.concat([
      ...[site, flagsAndCounter(userPresentAndVerified | credentialIncluded)],
      // No kind of authenticator.
      ...[Buffer.alloc(16), Buffer.of(0, id.length), id, publicKey],
    ]);
    // {fmt: "none", attStmt: {}, authData: bytes of a length in one byte}
    return Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.of(authenticatorData.length),
      authenticatorData,
    ]);
  }

  return {
    credentialId,
    publicKey,
    attestation,
    registration(challenge, attestationObject = attestation()) {
      return sent({ clientDataJSON: clientDataOf('webauthn.create', challenge), attestationObject });
    },
    answer(challenge, authenticatorData = Buffer.concat([site, flagsAndCounter(userPresentAndVerified)])) {
      const clientDataJSON = clientDataOf('webauthn.get', challenge);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey);
      return sent({ clientDataJSON, authenticatorData, signature });
    },
  };
}

/** Registers a passkey of a person in the database. The test holds its private key. */
export async function addPasskey(
  { world, db }: Pick<TestService, 'world' | 'db'>,
  personId: string,
  origin: string,
): Promise<SoftwarePasskey & { id: string }> {
  const id = world.newId();
  const passkey = createPasskey(origin, id);
  await db.query({
    name: '',
    text: `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
           values ($1, $2, $3, $4, 0, '{}', 'Test', $5)`,
    values: [id, personId, passkey.credentialId, passkey.publicKey, world.clock.now()],
  });
  return { id, ...passkey };
}
