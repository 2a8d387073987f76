import { expect, test } from 'vitest';
import { csvLine, plainCell } from './csv.ts';

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1 555', `"'+1 555"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\rx', `"'\rx"`],
  [' =1', `"' =1"`],
  ['\u200b=1', `"'\u200b=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
  ['', '""'],
])('%j is written as text', (cell, written) => expect(csvLine([cell])).toBe(`${written}\r\n`));

test('quotation marks, commas and line breaks stay within their cell', () => {
  expect(csvLine(['a "b", c\nd', 3, null])).toBe('"a ""b"", c\nd",3,\r\n');
});

test.each([
  ["'+34 600", '+34 600'],
  ["'=1+1", '=1+1'],
  ["'tis", "'tis"],
  ["O'Brien", "O'Brien"],
  ["''+1", "''+1"],
  ["'", "'"],
])('the apostrophe before a formula is taken off again: %j', (cell, plain) => expect(plainCell(cell)).toBe(plain));
