/** The numbers of a signature's `/ByteRange`: offset and length of what it covers before and after its `/Contents`. */
export type ByteRange = readonly [number, number, number, number];

/** A signature as the bytes of a file have it, whether or not the document still refers to it. */
export interface FoundSeal {
  range: ByteRange;
  /** Whether the range leaves out one gap only, which is exactly the signature in hexadecimal digits. */
  isExact: boolean;
  /** What stands in the gap, or where `/Contents` is: the CMS and the zeros that fill its room. Null: nothing legible. */
  contents: Buffer | null;
  /** Whether its digits are all in one case, as whoever writes a signature writes them. */
  isUniform: boolean;
}

/** Of a file that has more, only the first are looked at: a signed document has a handful. */
const sealsMax = 32;
const rangeLengthMax = 200;

/** Every signature that a file's bytes show, in their order. Text that only looks like one is found too. */
export function findSeals(file: Buffer): FoundSeal[] {
  const found: FoundSeal[] = [];
  for (let at = file.indexOf('/ByteRange'); at !== -1 && found.length < sealsMax; ) {
    const range = readRange(file.toString('latin1', at + '/ByteRange'.length, at + rangeLengthMax));
    if (range !== null) found.push({ range, ...readContents(file, at, range) });
    at = file.indexOf('/ByteRange', at + 1);
  }
  return found;
}

function readRange(text: string): ByteRange | null {
  const match = /^\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/.exec(text);
  if (match === null) return null;
  const [first = 0, firstLength = 0, second = 0, secondLength = 0] = match.slice(1).map(Number);
  return [first, firstLength, second, secondLength];
}

function readContents(file: Buffer, at: number, [first, firstLength, second]: ByteRange) {
  const inGap = first === 0 && second <= file.length ? hexText(file, firstLength, second) : null;
  const isNamed = /\/Contents\s*$/.test(file.toString('latin1', Math.max(0, firstLength - 20), firstLength));
  const isExact = inGap !== null && isNamed;
  const text = inGap ?? namedContents(file, at);
  return {
    isExact,
    contents: text === null ? null : Buffer.from(text, 'hex'),
    isUniform: text !== null && (text === text.toUpperCase() || text === text.toLowerCase()),
  };
}

/** Where the range is wrong, the signature still says whose it is: it stands beside the range, under its name. */
function namedContents(file: Buffer, at: number): string | null {
  const name = file.indexOf('/Contents', at);
  const start = name === -1 ? -1 : file.indexOf('<', name);
  const end = start === -1 ? -1 : file.indexOf('>', start);
  return end === -1 ? null : hexText(file, start, end + 1);
}

const contentsLengthMax = 1_000_000;

/** The digits between `<` and `>`, if that is what stands there. */
function hexText(file: Buffer, start: number, end: number): string | null {
  if (end - start < 4 || end - start > contentsLengthMax) return null;
  const text = file.toString('latin1', start, end);
  return /^<(?:[0-9A-Fa-f]{2})+>$/.test(text) ? text.slice(1, -1) : null;
}
