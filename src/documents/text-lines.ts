// The console imports this file, so it imports nothing that needs Node.js.

/** Height in points from which a field is made for several lines: it has room for three of 10 points. */
const linesHeightMin = 40;

/** Returns whether a text can be entered in several lines: its field is made for them, or it has several already. */
export function holdsLines({ height, value }: { height: number; value: string | null }): boolean {
  return height >= linesHeightMin || /[\n\r]/.test(value ?? '');
}
