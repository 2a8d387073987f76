/** The `/ByteRange` of a signature: offset and length of the signed bytes before and after its `/Contents`. */
export type ByteRange = readonly [number, number, number, number];

/** A signature found in the bytes of a file, even if the document no longer refers to it. */
export interface FoundSeal {
  range: ByteRange;
  /** Whether the range has exactly one gap, which contains only the signature in hexadecimal digits. */
  isExact: boolean;
  /** The CMS with its padding, from the gap or from `/Contents`. Null when it is not readable. */
  contents: Buffer | null;
  /** Whether the digits are upper case, as sealing writes them. */
  isUpperCase: boolean;
}

/** Maximum number of signatures read, from the end. A seal is at the end of its file, so earlier text cannot hide it. */
export const sealsMax = 256;
const rangeLengthMax = 200;

/** Finds the signatures in the bytes of a file, in order. Also finds text that only looks like a signature. */
export function findSeals(file: Buffer): FoundSeal[] {
  const found: FoundSeal[] = [];
  for (let at = file.lastIndexOf('/ByteRange'); at !== -1 && found.length < sealsMax; ) {
    const range = readRange(file.toString('latin1', at + '/ByteRange'.length, at + rangeLengthMax));
    if (range !== null) found.unshift(readSeal(file, range, () => namedContents(file, at)));
    at = at === 0 ? -1 : file.lastIndexOf('/ByteRange', at - 1);
  }
  return found;
}

/** Reads the signature in the gap of `range`. */
export function sealAt(file: Buffer, range: ByteRange): FoundSeal {
  return readSeal(file, range, () => null);
}

/** Returns the end offset of the bytes that a seal covers. */
export function endOf({ range }: Pick<FoundSeal, 'range'>): number {
  return range[2] + range[3];
}

function readRange(text: string): ByteRange | null {
  const match = /^\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/.exec(text);
  if (match === null) return null;
  const [first = 0, firstLength = 0, second = 0, secondLength = 0] = match.slice(1).map(Number);
  return [first, firstLength, second, secondLength];
}

function readSeal(file: Buffer, range: ByteRange, otherwise: () => string | null): FoundSeal {
  const [first, firstLength, second] = range;
  const inGap = first === 0 && second <= file.length ? hexText(file, firstLength, second) : null;
  const isNamed = /\/Contents\s*$/.test(file.toString('latin1', Math.max(0, firstLength - 20), firstLength));
  const text = inGap ?? otherwise();
  return {
    range,
    isExact: inGap !== null && isNamed,
    contents: text === null ? null : Buffer.from(text, 'hex'),
    isUpperCase: text !== null && text === text.toUpperCase(),
  };
}

const contentsLengthMax = 1_000_000;

/** Reads the signature from `/Contents` next to a wrong range. It still identifies the signer. */
function namedContents(file: Buffer, at: number): string | null {
  const near = file.subarray(at, at + 2 * contentsLengthMax);
  const name = near.indexOf('/Contents');
  const start = name === -1 ? -1 : near.indexOf('<', name);
  const end = start === -1 ? -1 : near.indexOf('>', start);
  return end === -1 ? null : hexText(near, start, end + 1);
}

/** Returns the digits between `<` and `>`, or null when there is something else. */
function hexText(file: Buffer, start: number, end: number): string | null {
  if (end - start < 4 || end - start > contentsLengthMax) return null;
  const text = file.toString('latin1', start, end);
  return /^<(?:[0-9A-Fa-f]{2})+>$/.test(text) ? text.slice(1, -1) : null;
}
