const [backslash, open, close] = [0x5c, 0x28, 0x29];
const [less, greater, bracket, endBracket] = [0x3c, 0x3e, 0x5b, 0x5d];
const [slash, percent] = [0x2f, 0x25];
const regular = new Uint8Array(256).fill(1);
for (const byte of Buffer.from('\0\t\n\f\r ()<>[]{}/%')) regular[byte] = 0;

export interface DictionaryEnd {
  /** Offset of the keyword that ends the dictionary, or the end of the searched range. */
  end: number;
  isStream: boolean;
  /** Whether every dictionary and array is closed. Otherwise some readers continue after the keyword. */
  isBalanced: boolean;
}

/**
 * Finds the keyword (`stream`, `endobj` or the next `obj`) that ends the value after `obj`. Like a PDF reader, it ignores
 * strings, names and comments. Searches from `from` up to `limit`.
 */
export function dictionaryEnd(bytes: Buffer, from: number, limit: number): DictionaryEnd {
  const last = Math.min(bytes.length, limit);
  const opened: number[] = [];
  let isClosed = true;
  for (let at = from; at < last; ) {
    const byte = bytes[at] ?? 0;
    if (byte === percent) at = lineEnd(bytes, at, last);
    else if (byte === open) at = stringEnd(bytes, at, last);
    else if (byte === slash) at = wordEnd(bytes, at + 1, last);
    else if (byte === less && bytes[at + 1] !== less) at = behind(bytes.indexOf(greater, at), last);
    else if (byte === less || byte === bracket) {
      opened.push(byte);
      at += byte === less ? 2 : 1;
    } else if (byte === greater || byte === endBracket) {
      const isPair = byte === endBracket || bytes[at + 1] === greater;
      if (!isPair || opened.pop() !== (byte === greater ? less : bracket)) isClosed = false;
      at += byte === greater ? 2 : 1;
    } else if (regular[byte] === 0) at += 1;
    else {
      const end = wordEnd(bytes, at, last);
      const word = bytes.toString('latin1', at, Math.min(end, at + 6));
      const isEnd = word === 'stream' || word === 'endobj' || word === 'obj';
      if (isEnd) return { end: at, isStream: word === 'stream', isBalanced: isClosed && opened.length === 0 };
      at = end;
    }
  }
  return { end: last, isStream: false, isBalanced: false };
}

function wordEnd(bytes: Buffer, from: number, last: number): number {
  let at = from;
  while (at < last && regular[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

function lineEnd(bytes: Buffer, from: number, last: number): number {
  let at = from;
  while (at < last && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
  return at;
}

/** Returns the offset after a string. Parentheses inside it are balanced or escaped. */
function stringEnd(bytes: Buffer, from: number, last: number): number {
  let depth = 0;
  for (let at = from; at < last; at += 1) {
    const byte = bytes[at];
    if (byte === backslash) at += 1;
    else if (byte === open) depth += 1;
    else if (byte === close && --depth === 0) return at + 1;
  }
  return last;
}

function behind(found: number, last: number): number {
  return found === -1 || found >= last ? last : found + 1;
}
