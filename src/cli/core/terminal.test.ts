import fc from 'fast-check';
import { expect, test } from 'vitest';
import { card, lines, oneLine, table } from './terminal.ts';

test('whatever a stranger wrote, one printable line comes out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(oneLine(text)).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
  expect(oneLine('a\u202eb\u2066c\u001b[31m\u009bd\u2028e\ud800\ufeff\u0000')).toBe(
    'a\\u{202e}b\\u{2066}c\\u{1b}[31m\\u{9b}d\\u{2028}e\\u{d800}\\u{feff}\\u{0}',
  );
});

test('ordinary text of any script stays as it is', () => {
  for (const text of ['Zoë & Co. — 日本', '👩‍👩‍👧 family', 'می‌خواهم', '\u05e9\u05dc\u05d5\u05dd']) {
    expect(oneLine(text)).toBe(text);
  }
});

test('a longer text keeps its lines, each of them safe', () => {
  expect(lines('one\r\n\ttwo\n\nthree', '  ')).toBe('  one\n  \\u{9}two\n\n  three');
});

test('tables and cards line up, and say nothing with a dash', () => {
  const rows = [
    { id: 'a', n: 1, name: 'x' },
    { id: 'bbb', n: null, name: '' },
  ];
  expect(table(rows, 'none')).toBe('ID   N  NAME\na    1  x\nbbb  -\n');
  expect(table([], 'none')).toBe('none\n');
  expect(card({ id: 'a', list: ['x', 'y'], detail: { k: 1 }, none: null })).toBe(
    'id      a\nlist    x, y\ndetail  {"k":1}\nnone    -\n',
  );
});
