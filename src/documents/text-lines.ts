// The console imports this file, so it imports nothing that needs Node.js.

import type { TextFormat } from './text-format.ts';

interface TextBox {
  height: number;
  value: string | null;
  textFormat?: TextFormat | null;
}

/** Height in points from which a field is made for several lines: it has room for three of 10 points. */
const linesHeightMin = 40;

/** Returns whether a text can be entered in several lines: its field is made for them, or it has several already. A format has one. */
export function holdsLines({ height, value, textFormat = null }: TextBox): boolean {
  return textFormat === null && (height >= linesHeightMin || /[\n\r]/.test(value ?? ''));
}
