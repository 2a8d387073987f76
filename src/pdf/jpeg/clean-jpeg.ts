import type { PictureLimits } from '../png/read-png.ts';

/** A segment of a JPEG: its marker and what follows its length. `scan`: the compressed pixels behind a start of scan. */
interface Segment {
  marker: number;
  content: Buffer;
  scan: Buffer;
}

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, jfif: 0xe0, adobe: 0xee, comment: 0xfe } as const;
/** Baseline, extended sequential and progressive frames with Huffman coding. No program shows the other kinds. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** Tables: Huffman codes, quantization, restart interval. */
const tables = new Set([0xc4, 0xdb, 0xdd]);
/** Programs write at most about 20 scans. Each one makes a reader go over the whole image again. */
const scansMax = 64;
/** Our own JFIF header: version 1.1, no density, no thumbnail. */
const jfifHeader = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1');

/**
 * Checks the structure of an untrusted JPEG and writes it again without metadata, comments and anything behind its end. The
 * compressed pixels stay as they are. Accepts 8-bit grey and colour images; those for printing (CMYK) are refused.
 *
 * @throws when the image is damaged, of another kind or too large.
 */
export function cleanJpeg(bytes: Uint8Array, limits: PictureLimits): { bytes: Buffer; width: number; height: number } {
  if (bytes.length > limits.bytesMax) throw new Error(`the image is larger than ${limits.bytesMax} bytes`);
  const segments = readSegments(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const size = readFrame(segments, limits);
  const kept = segments.flatMap((segment) => cleaned(segment) ?? []);
  return {
    bytes: Buffer.concat([Buffer.from([0xff, marker.start]), ...kept, Buffer.from([0xff, marker.end])]),
    ...size,
  };
}

function readSegments(file: Buffer): Segment[] {
  if (file[0] !== 0xff || file[1] !== marker.start) throw new Error('the image is not a JPEG');
  const segments: Segment[] = [];
  for (let at = 2; at + 1 < file.length; ) {
    if (file[at] !== 0xff) throw new Error('the JPEG has no marker where one must be');
    const kind = file[at + 1] ?? 0;
    if (kind === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    if (kind === marker.end) return segments;
    if (at + 4 > file.length) break;
    const contentEnd = at + 2 + file.readUInt16BE(at + 2);
    if (contentEnd < at + 4 || contentEnd > file.length) break;
    const end = kind === marker.scan ? endOfScan(file, contentEnd) : contentEnd;
    segments.push({ marker: kind, content: file.subarray(at + 4, contentEnd), scan: file.subarray(contentEnd, end) });
    at = end;
  }
  throw new Error('the JPEG is cut off');
}

/** Returns where the next marker is. A stuffed zero or a restart marker belongs to the pixels. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new Error('the JPEG is cut off');
}

function readFrame(segments: Segment[], { widthMax, heightMax }: PictureLimits): { width: number; height: number } {
  const [frame, ...others] = segments.filter(({ marker }) => frames.has(marker));
  const firstScan = segments.findIndex((segment) => segment.marker === marker.scan);
  if (frame === undefined || others.length > 0 || firstScan < segments.indexOf(frame)) {
    throw new Error('the JPEG has no frame, or several');
  }
  if (segments[firstScan]?.scan.length === 0) throw new Error('the JPEG has no pixels');
  if (segments.filter((segment) => segment.marker === marker.scan).length > scansMax) {
    throw new Error('the JPEG has too many scans');
  }
  const { content } = frame;
  if (content.length < 6) throw new Error('the JPEG has a damaged frame');
  const components = content[5] ?? 0;
  if (content[0] !== 8 || (components !== 1 && components !== 3) || content.length !== 6 + 3 * components) {
    throw new Error('the JPEG has another depth or number of colours');
  }
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  if (width < 1 || height < 1 || width > widthMax || height > heightMax) {
    throw new Error(`the JPEG is not between 1 × 1 and ${widthMax} × ${heightMax} pixels`);
  }
  return { width, height };
}

/** Returns a segment as it is kept. Null: it is left out. Headers that say how colours are coded are kept without the rest. */
function cleaned({ marker: kind, content, scan }: Segment): Buffer | null {
  if (kind === marker.scan || frames.has(kind) || tables.has(kind)) return segmentOf(kind, content, scan);
  if (kind === marker.jfif) return startsWith(content, 'JFIF\0') ? segmentOf(kind, jfifHeader) : null;
  if (kind === marker.adobe) {
    return startsWith(content, 'Adobe') && content.length >= 12 ? segmentOf(kind, content.subarray(0, 12)) : null;
  }
  if ((kind >= 0xe0 && kind <= 0xef) || kind === marker.comment) return null;
  throw new Error('the JPEG has a part of an unknown kind');
}

function startsWith(content: Buffer, name: string): boolean {
  return content.subarray(0, name.length).toString('latin1') === name;
}

function segmentOf(kind: number, content: Buffer, scan: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content, scan]);
}
