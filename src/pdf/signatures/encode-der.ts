/** Encodes a DER value: the tag, the length in as few bytes as possible (X.690, 10.1), the content. */
export function encode(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}

export function sequence(...parts: Uint8Array[]): Buffer {
  return encode(0x30, ...parts);
}

/** Encodes a SET OF, whose values DER sorts by their encoding (X.690, 11.6). */
export function setOf(...values: Uint8Array[]): Buffer {
  return encode(0x31, ...[...values].sort(Buffer.compare));
}
