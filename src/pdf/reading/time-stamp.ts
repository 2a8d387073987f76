import { createHash } from 'node:crypto';
import { TSTInfo } from 'pkijs';
import { type Digest, readSignedData, signatureHolds } from './signed-data.ts';

/** The statement of an authority that a signature or a file existed at a time. Says nothing about trust in the authority. */
export interface TimeStamp {
  at: Date;
  /** The subject of the authority's certificate. */
  authority: string;
}

export const timeStampAttribute = '1.2.840.113549.1.9.16.2.14';

const timeStampInfo = '1.2.840.113549.1.9.16.1.4';
const digests: Record<string, Digest> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/**
 * Reads an RFC 3161 token. `digestOf` returns the digest of what it should be over. Throws when it is no token, is over something
 * else, or its own signature does not hold.
 */
export function readTimeStamp(token: Buffer, digestOf: (digest: Digest) => Buffer): TimeStamp {
  const signed = readSignedData(token);
  if (signed.contentType !== timeStampInfo || signed.content === null) throw new Error('it is no time-stamp');
  if (signed.signer === null || !signatureHolds(signed)) throw new Error('its signature does not hold');
  const digest = createHash(signed.digest).update(signed.content).digest();
  if (!digest.equals(signed.messageDigest)) throw new Error('it was changed');

  const { messageImprint, genTime } = TSTInfo.fromBER(signed.content);
  const imprintDigest = digests[messageImprint.hashAlgorithm.algorithmId];
  if (imprintDigest === undefined) throw new Error('its digest is not accepted');
  const imprint = Buffer.from(messageImprint.hashedMessage.getValue());
  if (!digestOf(imprintDigest).equals(imprint)) throw new Error('it is of something else');
  if (Number.isNaN(genTime.getTime())) throw new Error('a time is impossible');
  return { at: genTime, authority: signed.signer.subject };
}

/** Makes the `digestOf` of a time-stamp over `bytes`. */
export function over(bytes: Buffer): (digest: Digest) => Buffer {
  return (digest) => createHash(digest).update(bytes).digest();
}
