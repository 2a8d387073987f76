import { encode } from 'uqr';

/** An SVG path of `size` by `size` modules. */
export interface QrPath {
  size: number;
  path: string;
}

/** The white around a QR code that readers need, in modules (ISO/IEC 18004). */
const quietZone = 4;

/** Returns the QR code of a text. Fill the path dark on white. */
export function qrPath(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
