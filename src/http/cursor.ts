import { createHmac, timingSafeEqual } from 'node:crypto';
import { createHmacSha256 } from '../platform/hmac-sha256.ts';

/**
 * A cursor is the position right after an item. Clients get it as opaque text. It is authenticated with the service's
 * secret and bound to its account and list, so clients can't forge it or use it for another list.
 */
export interface CursorCodec {
  encode(scope: CursorScope, afterId: string): string;
  /** Returns the id that the position follows, or null if this service did not issue the cursor for this list. */
  decode(scope: CursorScope, cursor: string): string | null;
}

export interface CursorScope {
  accountId: string;
  list: string;
}

const idBytes = 16;
const tagBytes = 16;

export function createCursorCodec(secretKey: Buffer): CursorCodec {
  const hmac = createHmacSha256(createHmac('sha256', secretKey).update('cursor').digest());
  const tagOf = ({ accountId, list }: CursorScope, id: Buffer) =>
    hmac(
      Buffer.concat([
        Buffer.from(`${accountId}
${list}
`),
        id,
      ]),
    ).subarray(0, tagBytes);

  return {
    encode(scope, afterId) {
      const id = Buffer.from(afterId.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, tagOf(scope, id)]).toString('base64url');
    },

    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Base64 decoding accepts several spellings. The second check makes each position have exactly one cursor.
      if (bytes.length !== idBytes + tagBytes || bytes.toString('base64url') !== cursor) return null;
      const id = bytes.subarray(0, idBytes);
      if (!timingSafeEqual(bytes.subarray(idBytes), tagOf(scope, id))) return null;
      const hex = id.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
