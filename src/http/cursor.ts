import { createHmac, timingSafeEqual } from 'node:crypto';
import { createHmacSha256 } from '../world/hmac-sha256.ts';

/**
 * A cursor is a position between items: the one right after the item whose id it holds. Clients get it as opaque text,
 * authenticated with the service's secret and bound to the account and the list it came from, so that no client can
 * make one up or carry it to another list (decisions.md, Requests).
 */
export interface CursorCodec {
  encode(scope: CursorScope, afterId: string): string;
  /** The id the position follows, or null for anything this service did not issue for this list. */
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
      // The second test refuses the other spellings that base64 decoding forgives: one position has one cursor.
      if (bytes.length !== idBytes + tagBytes || bytes.toString('base64url') !== cursor) return null;
      const id = bytes.subarray(0, idBytes);
      if (!timingSafeEqual(bytes.subarray(idBytes), tagOf(scope, id))) return null;
      const hex = id.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
