import { crc32, deflateSync } from 'node:zlib';

export interface PngOptions {
  width: number;
  height: number;
  bitDepth?: number;
  colourType?: number;
  interlace?: number;
  /** Rows with their filter bytes. Default: a stroke across an empty canvas, as a browser makes it. */
  rows?: Buffer;
  extra?: Array<[name: string, content: Buffer]>;
}

export function makePng(options: PngOptions): Buffer {
  const { width, height, bitDepth = 8, colourType = 6, interlace = 0 } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(options.extra ?? []).map(([name, content]) => chunk(name, content)),
    chunk('IDAT', deflateSync(options.rows ?? strokeRows(width, height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Draws a dark blue loop on a transparent canvas, like a signature. */
export function drawnSignature(width = 600, height = 200): Buffer {
  return makePng({ width, height });
}

function strokeRows(width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  const dot = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    rows.set([20, 30, 90, 255], y * (width * 4 + 1) + 1 + x * 4);
  };
  const pen = Math.max(1, Math.round(height / 60));
  for (let step = 0; step <= width * 6; step++) {
    const t = step / (width * 6);
    const x = width * (0.1 + 0.75 * t) + height * 0.18 * Math.sin(t * 29);
    const y = height * (0.55 + 0.3 * Math.sin(t * 23) * (1 - 0.6 * t));
    for (let dx = -pen; dx <= pen; dx++)
      for (let dy = -pen; dy <= pen; dy++) dot(Math.round(x + dx), Math.round(y + dy));
  }
  return rows;
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
