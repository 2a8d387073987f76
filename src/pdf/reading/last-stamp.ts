import type { X509Certificate } from 'node:crypto';
import { createCoveredDigest, readDocumentStamp } from './document-stamp.ts';
import { type ByteRange, endOf, type FoundSeal, sealAt } from './find-seals.ts';
import { readSeal } from './locate-seal.ts';
import { readSignedData } from './signed-data.ts';
import { over, readTimeStamp, timeStampAttribute } from './time-stamp.ts';
import { readValidationUpdate } from './validation-update.ts';

/** Until when a sealed file is protected by a time-stamp. */
export interface StampValidity {
  /** When the authority made it. */
  at: Date;
  /** When the first of the authority's certificates in it ends. */
  until: Date;
}

/** The newest time-stamp of a sealed file. */
export interface LastStamp extends StampValidity {
  token: Buffer;
  /** The `/Contents` of the signature that has it, with its padding: of the time-stamp itself, or of the seal. */
  contents: Buffer;
  certificates: X509Certificate[];
}

/** Thrown when a time-stamp does not hold. */
export class BrokenStampError extends Error {
  override name = 'BrokenStampError';
}

/**
 * Finds the newest time-stamp of a file, whose seal has this range. Returns null when there is none.
 *
 * @throws a `BrokenStampError`, or another error when something else than validation data follows the seal.
 */
export function lastStampOf(file: Buffer, sealRange: ByteRange): LastStamp | null {
  const sealedBytes = endOf({ range: sealRange });
  if (sealedBytes > file.length) throw new Error('the file is shorter than what its seal covers');
  if (sealedBytes === file.length) return lastStampAmong(file, sealRange, []);
  const update = readValidationUpdate(file, sealedBytes);
  if (update === null) throw new Error('something else than validation data follows the seal');
  return lastStampAmong(file, sealRange, update.stamps);
}

/**
 * Returns the last of the time-stamps after the seal, otherwise that of the seal itself, or null when it has none.
 *
 * @throws a `BrokenStampError`.
 */
export function lastStampAmong(file: Buffer, sealRange: ByteRange, stamps: readonly FoundSeal[]): LastStamp | null {
  const stamp = stamps.at(-1);
  if (stamp !== undefined) {
    const read = readDocumentStamp(stamp, createCoveredDigest(file));
    if (read === null || stamp.contents === null) throw new BrokenStampError('the time-stamp does not hold');
    return describe(read.token, read.timeStamp.at, stamp.contents);
  }
  const { contents } = sealAt(file, sealRange);
  const signed = readSeal({ contents });
  if (signed === null || contents === null) throw new Error('the seal cannot be read');
  const token = signed.unsignedAttributes.get(timeStampAttribute)?.raw;
  return token === undefined ? null : describe(token, timeOf(token, signed.signature), contents);
}

function timeOf(token: Buffer, stamped: Buffer): Date {
  try {
    return readTimeStamp(token, over(stamped)).at;
  } catch (error) {
    throw new BrokenStampError((error as Error).message);
  }
}

function describe(token: Buffer, at: Date, contents: Buffer): LastStamp {
  const { signer, certificates } = readSignedData(token);
  if (signer === null) throw new BrokenStampError('the time-stamp has no certificate');
  const ends = chainOf(signer, certificates).map(({ validToDate }) => validToDate.getTime());
  return { token, at, until: new Date(Math.min(...ends)), contents, certificates };
}

/**
 * Returns a certificate and those that issued it, up to a root. Of several for one issuer, such as cross-certificates, the one counts
 * that ends last.
 */
function chainOf(signer: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [signer];
  for (let last = signer; !last.checkIssued(last); ) {
    const [issuer] = certificates
      .filter((one) => !chain.includes(one) && last.checkIssued(one) && last.verify(one.publicKey))
      .sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
    if (issuer === undefined) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}
