import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { createHmacSha256 } from '../platform/hmac-sha256.ts';

/** What a download address allows: one file of a document, for one key, until a time. */
export interface DownloadGrant {
  documentId: string;
  keyId: string;
  expiresAt: Date;
  /** Of the file, in hex. Null in tokens of the versions that didn't have it: the document's newest sealed file. */
  sha256: string | null;
}

/**
 * The token of a download address. It carries its grant, authenticated with a key derived from `SECRET_KEY`, so nothing is
 * stored for it.
 */
export interface DownloadTokens {
  encode(grant: DownloadGrant & { sha256: string }): string;
  /** Null for anything this service did not issue. Expiry is for the caller to check. */
  decode(token: string): DownloadGrant | null;
}

const idBytes = 16;
const sha256Start = 2 * idBytes + 8;
const grantBytes = sha256Start + 32;
const tagBytes = 32;

export function createDownloadTokens(secretKey: Buffer): DownloadTokens {
  const hmac = createHmacSha256(Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign download', 32)));

  return {
    encode({ documentId, keyId, expiresAt, sha256 }) {
      const grant = Buffer.alloc(grantBytes);
      bytesOfId(documentId).copy(grant, 0);
      bytesOfId(keyId).copy(grant, idBytes);
      grant.writeBigUInt64BE(BigInt(expiresAt.getTime()), 2 * idBytes);
      grant.write(sha256, sha256Start, 'hex');
      return Buffer.concat([grant, hmac(grant)]).toString('base64url');
    },

    decode(token) {
      const bytes = Buffer.from(token, 'base64url');
      const length = bytes.length - tagBytes;
      // The second check refuses other spellings of the same bytes.
      if ((length !== grantBytes && length !== sha256Start) || bytes.toString('base64url') !== token) return null;
      const grant = bytes.subarray(0, length);
      if (!timingSafeEqual(bytes.subarray(length), hmac(grant))) return null;
      return {
        documentId: idOfBytes(grant.subarray(0, idBytes)),
        keyId: idOfBytes(grant.subarray(idBytes, 2 * idBytes)),
        expiresAt: new Date(Number(grant.readBigUInt64BE(2 * idBytes))),
        sha256: length === grantBytes ? grant.toString('hex', sha256Start) : null,
      };
    },
  };
}

function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idOfBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
