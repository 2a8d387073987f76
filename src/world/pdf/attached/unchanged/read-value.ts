/** A value of a PDF object. `text` is any other token as it is written: `12`, `/Page`, `(words)`, `true`. */
export type Value = { ref: number } | { dict: Map<string, Value> } | { list: Value[] } | { text: string };

/** The bytes are written in a way that readers may understand differently, or are no PDF at all. */
export class Ambiguous extends Error {}

const depthMax = 50;
/** PDFium cuts longer words off after 255 bytes. */
const wordMax = 127;

const space = 1;
const delimiter = 2;
const regular = 3;
/** What each byte is to a PDF reader. 0: white space to some readers, and a letter to others. */
const kinds = new Uint8Array(256).fill(regular, 0x21, 0x7f);
for (const byte of [0, 9, 10, 12, 13, 32]) kinds[byte] = space;
for (const byte of Buffer.from('()<>[]{}/%')) kinds[byte] = delimiter;
const number = /^[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})$/;
const integer = /^\d{1,10}$/;

/**
 * Reads one value that every reader understands in the same way, and moves `at` behind it. Throws `Ambiguous` for
 * comments, unusual bytes, keys that are there twice, and whatever else readers treat differently.
 */
export class ValueReader {
  at: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  value(depth = 0): Value {
    if (depth > depthMax) throw new Ambiguous('nested too deeply');
    this.skipSpace();
    switch (this.bytes[this.at]) {
      case 0x28: // (
        return { text: this.string() };
      case 0x2f: // /
        return { text: this.name() };
      case 0x5b: // [
        return this.list(depth);
      case 0x3c: // <
        return this.bytes[this.at + 1] === 0x3c ? this.dict(depth) : { text: this.hexString() };
      default:
        return this.numberOrKeyword();
    }
  }

  skipSpace(): void {
    while (this.kindAt(this.at) === space) this.at += 1;
  }

  /** Whether a keyword is next, which is then passed over. */
  take(keyword: string): boolean {
    const end = this.at + keyword.length;
    for (let i = 0; i < keyword.length; i += 1) {
      if (this.bytes[this.at + i] !== keyword.charCodeAt(i)) return false;
    }
    if (this.isRegular(end)) return false;
    this.at = end;
    return true;
  }

  /** A number without sign or fraction. */
  integer(): number {
    this.skipSpace();
    const word = this.word();
    if (!integer.test(word)) throw new Ambiguous('a whole number was expected');
    return Number(word);
  }

  private list(depth: number): Value {
    const list: Value[] = [];
    this.at += 1;
    for (this.skipSpace(); this.bytes[this.at] !== 0x5d; this.skipSpace()) list.push(this.value(depth + 1));
    this.at += 1;
    return { list };
  }

  private dict(depth: number): Value {
    const dict = new Map<string, Value>();
    this.at += 2;
    for (this.skipSpace(); this.bytes[this.at] === 0x2f; this.skipSpace()) {
      const key = this.name();
      if (dict.has(key)) throw new Ambiguous('a key is there twice');
      dict.set(key, this.value(depth + 1));
    }
    if (this.bytes[this.at] !== 0x3e || this.bytes[this.at + 1] !== 0x3e) throw new Ambiguous('no end of a dictionary');
    this.at += 2;
    return { dict };
  }

  private numberOrKeyword(): Value {
    const text = this.word();
    if (text === 'true' || text === 'false' || text === 'null') return { text };
    if (!number.test(text)) throw new Ambiguous('an unknown word');
    return this.takeReference(text) ? { ref: Number(text) } : { text };
  }

  /**
   * Whether a number is the first part of a reference, whose other parts are then passed over. Throws for what only some
   * readers take for a reference: with comments, signs or fractions.
   */
  private takeReference(first: string): boolean {
    const behind = this.at;
    const generation = this.nextWord();
    if (number.test(generation) && this.nextWord() === 'R') {
      if (!integer.test(first) || !/^\d{1,5}$/.test(generation)) throw new Ambiguous('an unusual reference');
      return true;
    }
    this.at = behind;
    return false;
  }

  /** Empty where something else than a word follows. */
  private nextWord(): string {
    this.skipSpace();
    if (this.bytes[this.at] === 0x25) throw new Ambiguous('a comment');
    return this.isRegular(this.at) ? this.word() : '';
  }

  private word(): string {
    const start = this.at;
    while (this.isRegular(this.at)) this.at += 1;
    if (this.at === start || this.at - start > wordMax) throw new Ambiguous('a word was expected');
    return this.bytes.toString('latin1', start, this.at);
  }

  /** With its slash. `#` and two digits are a byte. */
  private name(): string {
    this.at += 1;
    const name = this.isRegular(this.at) ? this.word() : '';
    if (name === '') throw new Ambiguous('not a name');
    if (!name.includes('#')) return `/${name}`;
    if (/#(?![0-9A-Fa-f]{2})/.test(name)) throw new Ambiguous('not a name');
    return `/${name.replaceAll(/#(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
  }

  private string(): string {
    const start = this.at;
    for (let depth = 0; this.at < this.bytes.length; this.at += 1) {
      const byte = this.bytes[this.at];
      if (byte === 0x5c) this.at += 1;
      else if (byte === 0x28) depth += 1;
      else if (byte === 0x29 && --depth === 0) {
        this.at += 1;
        return this.bytes.toString('latin1', start, this.at);
      }
    }
    throw new Ambiguous('a string has no end');
  }

  private hexString(): string {
    const start = this.at;
    const end = this.bytes.indexOf(0x3e, start);
    const text = this.bytes.toString('latin1', start, end + 1);
    if (end === -1 || !/^<[0-9A-Fa-f\s]*>$/.test(text)) throw new Ambiguous('not a string');
    this.at = end + 1;
    return text;
  }

  /** Printed ASCII that is no delimiter. Throws for bytes that are white space to some readers. */
  private isRegular(at: number): boolean {
    const kind = this.kindAt(at);
    if (kind === 0) throw new Ambiguous('a byte that is no letter');
    return kind === regular;
  }

  /** The end of the bytes is a delimiter. */
  private kindAt(at: number): number {
    const byte = this.bytes[at];
    return byte === undefined ? delimiter : (kinds[byte] ?? 0);
  }
}

/** Whether two values are written alike. The order of keys does not count. */
export function isSameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ('ref' in a) return 'ref' in b && a.ref === b.ref;
  if ('text' in a) return 'text' in b && a.text === b.text;
  if ('list' in a)
    return 'list' in b && a.list.length === b.list.length && a.list.every((item, i) => isSameValue(item, b.list[i]));
  return (
    'dict' in b && a.dict.size === b.dict.size && [...a.dict].every(([key, item]) => isSameValue(item, b.dict.get(key)))
  );
}

/** Throws for everything but a whole number that is written directly. */
export function integerOf(value: Value | undefined): number {
  if (value === undefined || !('text' in value) || !/^\d{1,10}$/.test(value.text)) throw new Ambiguous('no number');
  return Number(value.text);
}

export function isText(value: Value | undefined, text: string): boolean {
  return value !== undefined && 'text' in value && value.text === text;
}

/** The entries of a dictionary or of a stream. Throws for other values. */
export function dictOf(value: Value | undefined): Map<string, Value> {
  if (value === undefined || !('dict' in value)) throw new Ambiguous('no dictionary');
  return value.dict;
}

/** Throws for other values. */
export function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || !('list' in value)) throw new Ambiguous('no list');
  return value.list;
}
