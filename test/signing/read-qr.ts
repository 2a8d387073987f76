import decodeQR from 'qr/decode.js';

const pixelsPerModule = 4;

/** Reads the text of a QR code that is an SVG path of `size` by `size` modules, each `M<x> <y>h1v1h-1z`, as a camera would. */
export function readQr({ size, path }: { size: number; path: string }): string {
  const width = size * pixelsPerModule;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < pixelsPerModule; row++) {
      const first = (Number(y) * pixelsPerModule + row) * width + Number(x) * pixelsPerModule;
      for (let at = first; at < first + pixelsPerModule; at++) data.set([0, 0, 0], at * 4);
    }
  }
  return decodeQR({ width, height: width, data });
}
