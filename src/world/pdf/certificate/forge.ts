import { pbkdf2Sync } from 'node:crypto';
import nodeForge from 'node-forge';

/** Some exporters hash 600,000 times for each of MAC, certificates and key; a hostile count must not cost minutes. */
const roundsMax = 3_000_000;

let roundsLeft = roundsMax;

/** What a file asks for beyond reason, in the words of the error line. */
export class TooManyRoundsError extends Error {}

type DeriveKey = (password: string, salt: unknown, id: number, rounds: number, length: number, md?: unknown) => string;

/** What the types of node-forge leave out or hold to be fixed. */
interface ForgeParts {
  pkcs5: { pbkdf2(password: string, salt: string, rounds: number, length: number, md: { algorithm: string }): string };
  pkcs12: { generateKey: DeriveKey };
  pki: {
    pbe: { generatePkcs12Key: DeriveKey };
    certificateFromAsn1(node: nodeForge.asn1.Asn1): never;
    privateKeyFromAsn1(node: nodeForge.asn1.Asn1): never;
  };
}

const parts = nodeForge as unknown as ForgeParts;

// Forge derives keys without a bound, and PBKDF2 in slow JavaScript from a password that it does not encode. Every
// derivation of a PKCS#12 file passes through these functions, and nothing but readPkcs12 uses forge.
parts.pkcs5.pbkdf2 = (password, salt, rounds, length, md) => {
  spend(rounds);
  return pbkdf2Sync(password, Buffer.from(salt, 'latin1'), rounds, length, md.algorithm).toString('latin1');
};
const deriveKey = parts.pki.pbe.generatePkcs12Key;
parts.pkcs12.generateKey = parts.pki.pbe.generatePkcs12Key = (password, salt, id, rounds, length, md) => {
  spend(rounds);
  return deriveKey(password, salt, id, rounds, length, md);
};

// Forge understands RSA only, and writes a certificate anew, not always alike. A bag that it cannot parse it hands over
// as it stands, for node:crypto to read; so it is to parse none.
parts.pki.certificateFromAsn1 = parts.pki.privateKeyFromAsn1 = () => {
  throw new Error('left to node:crypto');
};

/** node-forge, its rounds of hashing counted from here on. */
export function forgeForOneFile(): typeof nodeForge {
  roundsLeft = roundsMax;
  return nodeForge;
}

function spend(rounds: number): void {
  if (!(rounds >= 1 && rounds <= roundsLeft)) throw new TooManyRoundsError(`${rounds} rounds of hashing`);
  roundsLeft -= rounds;
}
