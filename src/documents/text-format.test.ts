import { expect, test } from 'vitest';
import { exampleOf, isTextFormat, namedFormats, patternLengthMax, readFormatted } from './text-format.ts';

test.each([
  ['email', ' ada@example.com ', 'ada@example.com'],
  ['email', 'ada@example', null],
  ['email', 'ada lovelace@example.com', null],
  ['email', '\u200eada@example.com\u200b', 'ada@example.com'],
  ['phone', '+34 600 123 456', '+34 600 123 456'],
  ['phone', '(202) 555-0123', '(202) 555-0123'],
  ['phone', '600\u00a0123\n456', '600 123 456'],
  ['phone', '1234', null],
  ['phone', '1234567890123456', null],
  ['phone', '600 123 456 home', null],
  ['phone', '600+123456', null],
  // As contacts, chats and web pages give numbers.
  ['phone', '\u200e+34 600 123 456', '+34 600 123 456'],
  ['phone', '\u2066\u202a+34 600 123 456\u202c\u2069', '+34 600 123 456'],
  ['phone', '600–123\u2011456', '600-123-456'],
  ['phone', '600\u2212123\u00ad456', '600-123456'],
  ['phone', '＋３４　６００ １２３（４５６）', '+34 600 123(456)'],
  ['digits', '0012', '0012'],
  ['digits', '12 34 56', '123456'],
  ['digits', '12-34', null],
  ['digits', '٣٤', null],
  ['digits', '\u200e１2', '12'],
])('%s reads %j as %j', (format, entered, value) => {
  expect(readFormatted(format, entered)).toBe(value);
});

test.each([
  ['AA-9999', 'ab-1234', 'ab-1234'],
  ['AA-9999', 'ab1234', 'ab-1234'],
  ['AA-9999', ' ab 12 34 ', 'ab-1234'],
  ['AA-9999', 'ab-123', null],
  ['AA-9999', 'ab-12345', null],
  ['AA-9999', '12-abcd', null],
  ['AA-9999', '', null],
  ['99999', '123-45', '12345'],
  ['99999-999', '01310-100', '01310-100'],
  ['+34 999 999 999', '600123456', '+34 600 123 456'],
  ['+34 999 999 999', '+34600123456', '+34 600 123 456'],
  ['+34 999 999 999', '34-600-123-456', '+34 600 123 456'],
  // Nine digits are all that is to be entered, also when they begin like the pattern.
  ['+34 999 999 999', '345123456', '+34 345 123 456'],
  ['ES99 9999', 'es12 3456', 'ES12 3456'],
  ['ES99 9999', '123456', 'ES12 3456'],
  ['***-***', 'a1b2c3', 'a1b-2c3'],
  ['***', 'a-1', null],
  ['AAA', 'ñüé', 'ñüé'],
  // Letters and their marks as some keyboards send them, apart.
  ['AAA', 'n\u0303u\u0308e\u0301', 'ñüé'],
  ['AAA', 'x\u0302yz', null],
  ['AA', '\u202eab', 'ab'],
  ['A\\A9\\9', 'bA19', 'bA19'],
  ['A\\A9\\9', 'b1', 'bA19'],
  ['9\\\\9', '12', '1\\2'],
  ['9😀9', '12', '1😀2'],
  // Separators that were typed are at their places, or another amount would be stored.
  ['99.99', '1234', '12.34'],
  ['99.99', '12.34', '12.34'],
  ['99.99', '12,34', '12.34'],
  ['99.99', ' 12 . 34', '12.34'],
  ['99.99', '1.234', null],
  ['99.99', '123.4', null],
  ['99.99', '1,234', null],
  ['9.999,99', '1,234.56', '1.234,56'],
  ['9.999,99', '1234,56', '1.234,56'],
  ['9.999,99', '123,456', null],
  ['AA-9999', 'ab.1234', 'ab-1234'],
  ['AA-9999', 'ab1-234', null],
  ['(999) 999-9999', '202-555-0123', '(202) 555-0123'],
  ['(999) 999-9999', '(202)-555.0123', '(202) 555-0123'],
  ['(999) 999-9999', '20-2555-0123', null],
  ['AA--99', 'ab-12', 'ab--12'],
  ['\\*99', '12', '*12'],
  ['\\*99', '*12', '*12'],
  // A pattern from a file name or a text of macOS.
  ['e\u0301-99', '12', 'é-12'],
  ['e\u0301-99', 'é-12', 'é-12'],
  ['\\e\u0301-99', 'e\u030112', 'é-12'],
])('the pattern %j reads %j as %j', (pattern, entered, value) => {
  expect(readFormatted(pattern, entered)).toBe(value);
});

test.each([
  ['AA-9999', 'AB-1234'],
  ['99999999999', '12345678901'],
  ['***-***', 'A1B-2C3'],
  ['\\A9', 'A1'],
])('an example of %j is %j', (pattern, example) => {
  expect(exampleOf(pattern)).toBe(example);
  expect(readFormatted(pattern, example)).toBe(example);
});

test('a format has a name, or something to enter', () => {
  const formats = [...namedFormats, '9', 'AA-9999', '\\\\9', `${'e\u0301'.repeat(patternLengthMax - 1)}9`];
  for (const format of formats) expect([format, isTextFormat(format)]).toEqual([format, true]);
  const others = [
    '',
    'Email',
    'url',
    'toString',
    '---',
    '\\9',
    '9\\',
    '9\n9',
    '9\u0000',
    '9\ud800',
    `${'-'.repeat(patternLengthMax)}9`,
  ];
  for (const text of others) expect([text, isTextFormat(text)]).toEqual([text, false]);
});

test('what is read is read as itself', () => {
  for (const [format, entered] of [
    ['+34 999', '345'],
    ['A\\A9\\9', 'b1'],
    ['***-A', 'a1bc'],
    ['e\u0301-99', '12'],
  ] as const) {
    const value = readFormatted(format, entered) ?? '';
    expect(readFormatted(format, value)).toBe(value);
  }
});
