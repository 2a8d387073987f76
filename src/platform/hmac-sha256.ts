import { hash } from 'node:crypto';

const blockBytes = 64;

/**
 * Creates an HMAC-SHA-256 function (RFC 2104) for short messages, with a key of at most 64 bytes.
 * Node's own HMAC creates an object with a native part for each message, which costs more in garbage collection than
 * the hash. Two plain hashes are several times cheaper, which matters because every request takes this path.
 */
export function createHmacSha256(key: Uint8Array): (message: Uint8Array) => Buffer {
  if (key.length > blockBytes) throw new RangeError(`an HMAC key of ${key.length} bytes: at most ${blockBytes}`);
  const inner = padded(key, 0x36);
  const outer = padded(key, 0x5c);
  return (message) => sha256(outer, sha256(inner, message));
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  key.forEach((byte, i) => {
    block[i] = byte ^ pad;
  });
  return block;
}

function sha256(block: Buffer, message: Uint8Array): Buffer {
  // Node returns strings for less than half the cost of Buffers.
  return Buffer.from(hash('sha256', Buffer.concat([block, message]), 'binary'), 'binary');
}
