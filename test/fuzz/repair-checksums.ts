import { crc32 } from 'node:zlib';

/** Writes the correct checksum into each chunk of a PNG, as far as its lengths are valid. */
export function repairChecksums(png: Buffer): Buffer {
  const repaired = Buffer.from(png);
  for (let at = 8; at + 12 <= repaired.length; ) {
    const end = at + 12 + repaired.readUInt32BE(at);
    if (end > repaired.length) break;
    repaired.writeUInt32BE(crc32(repaired.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return repaired;
}
