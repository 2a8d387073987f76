const orientationTag = 0x0112;

/** Returns how a camera was held, from 1 to 8. 1, upright, for a JPEG that doesn't say it. */
export function exifOrientation(jpeg: Buffer): number {
  try {
    return orientationIn(jpeg) ?? 1;
  } catch {
    return 1; // cut off
  }
}

function orientationIn(jpeg: Buffer): number | null {
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] !== 0xe1 || jpeg.toString('latin1', at + 4, at + 10) !== 'Exif\0\0') continue;
    return orientationOfTiff(jpeg.subarray(at + 10, at + 2 + jpeg.readUInt16BE(at + 2)));
  }
  return null;
}

/** Reads the first directory of a TIFF file (TIFF 6.0, section 2). */
function orientationOfTiff(tiff: Buffer): number | null {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = short(start);
  for (let entry = 0; entry < count; entry++) {
    const at = start + 2 + entry * 12;
    if (short(at) === orientationTag) return short(at + 8);
  }
  return null;
}
