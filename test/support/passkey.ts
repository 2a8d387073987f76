import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { TestService } from './service.ts';

export interface SoftwarePasskey {
  id: string;
  /** What a browser sends back for a challenge of `POST /sign-in/passkey/options`. */
  answer(challenge: string): object;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A passkey of a person at `origin`, registered in the database, whose private half is here. */
export async function addPasskey(
  { world, db }: Pick<TestService, 'world' | 'db'>,
  personId: string,
  origin: string,
): Promise<SoftwarePasskey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) => Buffer.from(value, 'base64url');
  // COSE_Key in CBOR: EC2, ES256, P-256, x, y.
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    coordinate(x),
    Buffer.from('225820', 'hex'),
    coordinate(y),
  ]);
  const id = world.newId();
  const credentialId = Buffer.from(id).toString('base64url');
  await db.query({
    name: '',
    text: `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
           values ($1, $2, $3, $4, 0, '{}', 'Test', $5)`,
    values: [id, personId, credentialId, cose, world.clock.now()],
  });
  return {
    id,
    answer(challenge) {
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
      const userPresentAndVerified = Buffer.from([0x05, 0, 0, 0, 0]);
      const authenticatorData = Buffer.concat([sha256(new URL(origin).hostname), userPresentAndVerified]);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}
