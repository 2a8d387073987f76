/** A PDF value. `text` is a token as written in the file: `12`, `/Page`, `(words)`, `true`. */
export type Value =
  | { ref: number; generation: number }
  | { dict: Map<string, Value> }
  | { list: Value[] }
  | { text: string };

/** The bytes are no valid PDF, or readers may understand them differently. */
export class AmbiguousError extends Error {}

const depthMax = 50;
/** Maximum word length in bytes. PDFium truncates words after 255. */
const wordMax = 127;

const space = 1;
const delimiter = 2;
const regular = 3;
/** The kind of each byte. Kind 0 is white space for some readers and a regular character for others. */
const kinds = new Uint8Array(256).fill(regular, 0x21, 0x7f);
for (const byte of [0, 9, 10, 12, 13, 32]) kinds[byte] = space;
for (const byte of Buffer.from('()<>[]{}/%')) kinds[byte] = delimiter;
const number = /^[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})$/;
const integer = /^\d{1,10}$/;

/**
 * Reads values that every reader understands in the same way. `at` is the offset of the next byte to read.
 *
 * @throws `AmbiguousError` for comments, unusual bytes, duplicate keys, and anything else that readers treat differently.
 */
export class ValueReader {
  at: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  value(depth = 0): Value {
    if (depth > depthMax) throw new AmbiguousError('nested too deeply');
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

  /** Skips a keyword if it is next. Returns whether it was. */
  take(keyword: string): boolean {
    const end = this.at + keyword.length;
    for (let i = 0; i < keyword.length; i += 1) {
      if (this.bytes[this.at + i] !== keyword.charCodeAt(i)) return false;
    }
    if (this.isRegular(end)) return false;
    this.at = end;
    return true;
  }

  /** Reads a number without sign or fraction. */
  integer(): number {
    this.skipSpace();
    const word = this.word();
    if (!integer.test(word)) throw new AmbiguousError('a whole number was expected');
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
      if (dict.has(key)) throw new AmbiguousError('a key is there twice');
      dict.set(key, this.value(depth + 1));
    }
    if (this.bytes[this.at] !== 0x3e || this.bytes[this.at + 1] !== 0x3e)
      throw new AmbiguousError('no end of a dictionary');
    this.at += 2;
    return { dict };
  }

  private numberOrKeyword(): Value {
    const text = this.word();
    if (text === 'true' || text === 'false' || text === 'null') return { text };
    if (!number.test(text)) throw new AmbiguousError('an unknown word');
    const generation = this.takeReference(text);
    return generation === null ? { text } : { ref: Number(text), generation };
  }

  /**
   * Skips the rest of a reference if the number `first` starts one, and returns its generation. Returns null for another number.
   * Throws for references that only some readers accept: with comments, signs or fractions.
   */
  private takeReference(first: string): number | null {
    const behind = this.at;
    const generation = this.nextWord();
    if (number.test(generation) && this.nextWord() === 'R') {
      if (!integer.test(first) || !/^\d{1,5}$/.test(generation)) throw new AmbiguousError('an unusual reference');
      return Number(generation);
    }
    this.at = behind;
    return null;
  }

  /** Reads the next word. Returns an empty string when something else follows. */
  private nextWord(): string {
    this.skipSpace();
    if (this.bytes[this.at] === 0x25) throw new AmbiguousError('a comment');
    return this.isRegular(this.at) ? this.word() : '';
  }

  private word(): string {
    const start = this.at;
    while (this.isRegular(this.at)) this.at += 1;
    if (this.at === start || this.at - start > wordMax) throw new AmbiguousError('a word was expected');
    return this.bytes.toString('latin1', start, this.at);
  }

  /** Reads a name with its slash, and decodes `#` escapes. */
  private name(): string {
    this.at += 1;
    const name = this.isRegular(this.at) ? this.word() : '';
    if (name === '') throw new AmbiguousError('not a name');
    if (!name.includes('#')) return `/${name}`;
    if (/#(?![0-9A-Fa-f]{2})/.test(name)) throw new AmbiguousError('not a name');
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
    throw new AmbiguousError('a string has no end');
  }

  private hexString(): string {
    const start = this.at;
    const end = this.bytes.indexOf(0x3e, start);
    const text = this.bytes.toString('latin1', start, end + 1);
    if (end === -1 || !/^<[0-9A-Fa-f\s]*>$/.test(text)) throw new AmbiguousError('not a string');
    this.at = end + 1;
    return text;
  }

  /** Whether a byte is printable ASCII and no delimiter. Throws for bytes that only some readers treat as white space. */
  private isRegular(at: number): boolean {
    const kind = this.kindAt(at);
    if (kind === 0) throw new AmbiguousError('a byte that is no letter');
    return kind === regular;
  }

  /** Returns the kind of a byte. The end of the data counts as a delimiter. */
  private kindAt(at: number): number {
    const byte = this.bytes[at];
    return byte === undefined ? delimiter : (kinds[byte] ?? 0);
  }
}

/** Whether two values are written in the same way. Ignores the order of keys. */
export function isSameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ('ref' in a) return 'ref' in b && a.ref === b.ref && a.generation === b.generation;
  if ('text' in a) return 'text' in b && a.text === b.text;
  if ('list' in a)
    return 'list' in b && a.list.length === b.list.length && a.list.every((item, i) => isSameValue(item, b.list[i]));
  return (
    'dict' in b && a.dict.size === b.dict.size && [...a.dict].every(([key, item]) => isSameValue(item, b.dict.get(key)))
  );
}

/** Returns a direct whole number. Throws for other values. */
export function integerOf(value: Value | undefined): number {
  if (value === undefined || !('text' in value) || !/^\d{1,10}$/.test(value.text))
    throw new AmbiguousError('no number');
  return Number(value.text);
}

export function isText(value: Value | undefined, text: string): boolean {
  return value !== undefined && 'text' in value && value.text === text;
}

/** Returns the entries of a dictionary. Throws for other values. */
export function dictOf(value: Value | undefined): Map<string, Value> {
  if (value === undefined || !('dict' in value)) throw new AmbiguousError('no dictionary');
  return value.dict;
}

/** Returns the elements of an array. Throws for other values. */
export function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || !('list' in value)) throw new AmbiguousError('no list');
  return value.list;
}
