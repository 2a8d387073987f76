/** Encodes an ECDSA signature in DER (RFC 3279, 2.2.3). `r` and `s` are positive and at most 66 bytes long. */
export function encodeEcdsaSignature(r: bigint, s: bigint): Buffer {
  const content = Buffer.concat([integer(r), integer(s)]);
  const length = content.length < 0x80 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.of(0x30, ...length), content]);
}

/** Encodes a positive INTEGER in the fewest bytes (X.690, 8.3). At 66 bytes at most, its length needs one byte. */
function integer(value: bigint): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  const content = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(0x02, content.length), content]);
}
