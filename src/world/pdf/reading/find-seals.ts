/** The numbers of a signature's `/ByteRange`: offset and length of what it covers before and after its `/Contents`. */
export type ByteRange = readonly [number, number, number, number];

/** A signature as the bytes of a file have it, whether or not the document still refers to it. */
export interface FoundSeal {
  range: ByteRange;
  /** Whether the range leaves out one gap only, which is exactly the signature in hexadecimal digits. */
  isExact: boolean;
  /** What stands in the gap, or where `/Contents` is: the CMS and the zeros that fill its room. Null: nothing legible. */
  contents: Buffer | null;
  /** Whether its digits are in upper case, as sealing writes them. */
  isUpperCase: boolean;
}

/** Only the last ones are read. A seal stands at the end of its file, so what was in the file before cannot hide it. */
export const sealsMax = 256;
const rangeLengthMax = 200;

/** The signatures that a file's bytes show, in their order. Text that only looks like one is found too. */
export function findSeals(file: Buffer): FoundSeal[] {
  const found: FoundSeal[] = [];
  for (let at = file.lastIndexOf('/ByteRange'); at !== -1 && found.length < sealsMax; ) {
    const range = readRange(file.toString('latin1', at + '/ByteRange'.length, at + rangeLengthMax));
    if (range !== null) found.unshift(readSeal(file, range, () => namedContents(file, at)));
    at = at === 0 ? -1 : file.lastIndexOf('/ByteRange', at - 1);
  }
  return found;
}

/** The signature that stands in the gap of `range`, wherever the file says so. */
export function sealAt(file: Buffer, range: ByteRange): FoundSeal {
  return readSeal(file, range, () => null);
}

/** Where the bytes that a seal covers end. */
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

/** Where the range is wrong, the signature still says whose it is: it stands next to the range, under its name. */
function namedContents(file: Buffer, at: number): string | null {
  const near = file.subarray(at, at + 2 * contentsLengthMax);
  const name = near.indexOf('/Contents');
  const start = name === -1 ? -1 : near.indexOf('<', name);
  const end = start === -1 ? -1 : near.indexOf('>', start);
  return end === -1 ? null : hexText(near, start, end + 1);
}

/** The digits between `<` and `>`, if that is what stands there. */
function hexText(file: Buffer, start: number, end: number): string | null {
  if (end - start < 4 || end - start > contentsLengthMax) return null;
  const text = file.toString('latin1', start, end);
  return /^<(?:[0-9A-Fa-f]{2})+>$/.test(text) ? text.slice(1, -1) : null;
}
