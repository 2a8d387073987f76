import { expect, test } from 'vitest';
import { createCodeHasher, drawCode, readCode } from './verification-code.ts';

/** Hands out the numbers given, three bytes each. */
function drawing(...numbers: number[]) {
  const left = [...numbers];
  return {
    bytes(count: number): Buffer {
      const bytes = Buffer.alloc(count);
      bytes.writeUIntBE(left.shift() as number, 0, count);
      return bytes;
    },
  };
}

test('a code has six digits, zeros in front included', () => {
  expect(drawCode(drawing(0))).toBe('000000');
  expect(drawCode(drawing(42))).toBe('000042');
  expect(drawCode(drawing(15_999_999))).toBe('999999');
});

test('what would make low codes likelier is drawn again', () => {
  expect(drawCode(drawing(16_000_000, 0xffffff, 7))).toBe('000007');
});

test.each([
  ['as it was sent', '123456'],
  ['with spaces around it, and a line end', '  123456\n'],
  ['in two halves', '123 456'],
  ['with dashes of any length', '12-34–56'],
  ['with dots and spaces that do not break', '123.4\u00A05\u202F6'],
  ['with marks that show nothing', '\u2066123456\u2069\u200B'],
  ['in full width', '１２３４５６'],
  ['in Arabic digits', '١٢٣٤٥٦'],
  ['in Persian digits', '۱۲۳۴۵۶'],
  ['in Devanagari digits', '१२३४५६'],
])('a code is read %s', (_how, typed) => {
  expect(readCode(typed)).toBe('123456');
});

test.each(['', '12345', '1234567', '12345a', 'abcdef', '12345½', '①②③④⑤⑥x', '߁߂߃߄߅߆'])('is no code: %j', (typed) => {
  expect(readCode(typed)).toBeNull();
});

test('a hash is bound to its recipient, its number, and the secret key', () => {
  const hasher = createCodeHasher(Buffer.alloc(32, 1));
  const hash = hasher.hash('ada', 1, '123456');
  expect(hasher.matches(hash, 'ada', 1, '123456')).toBe(true);
  expect(hasher.matches(hash, 'ada', 1, '123457')).toBe(false);
  expect(hasher.matches(hash, 'bob', 1, '123456')).toBe(false);
  expect(hasher.matches(hash, 'ada', 2, '123456')).toBe(false);
  expect(createCodeHasher(Buffer.alloc(32, 2)).matches(hash, 'ada', 1, '123456')).toBe(false);
});
