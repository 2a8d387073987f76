import { expect, test } from 'vitest';
import {
  anyNumber,
  compareNumbers,
  enteredLengthMax,
  formatNumber,
  hasNumbers,
  numberDigitsMax,
  readNumber,
} from './number-value.ts';

test.each([
  ['0', '0'],
  ['-0.00', '0'],
  ['007', '7'],
  ['+1.50', '1.5'],
  ['.5', '0.5'],
  ['5.', '5'],
  [' 1200.25 ', '1200.25'],
  ['\u22123', '-3'],
  ['0.1234560', '0.123456'],
  ['9'.repeat(numberDigitsMax), '9'.repeat(numberDigitsMax)],
  ['9007199254740993', null],
  ['900719925474099.123456', '900719925474099.123456'],
])('%s is read as %s', (entered, value) => {
  expect(readNumber(entered, 'en', anyNumber)).toBe(value);
});

test.each(['', ' ', '.', '-', '1,5', '1 000', '1.000.0', '1e3', '0x1', 'NaN', '٣', '1.1234567', '1'.repeat(16)])(
  '%s is not a number',
  (entered) => {
    expect(readNumber(entered, 'en', anyNumber)).toBeNull();
  },
);

test('what is entered has a maximum length, with the zeros and spaces around a number', () => {
  const zeros = (length: number) => '0'.repeat(length);
  for (const [longest, value] of [
    [`${zeros(enteredLengthMax - 1)}7`, '7'],
    [`1.5${zeros(enteredLengthMax - 3)}`, '1.5'],
    [`7${' '.repeat(enteredLengthMax - 1)}`, '7'],
  ] as const) {
    expect(readNumber(longest, 'en', anyNumber)).toBe(value);
  }
  for (const tooLong of [
    `${zeros(enteredLengthMax)}7`,
    `1.5${zeros(enteredLengthMax - 2)}`,
    `7${' '.repeat(enteredLengthMax)}`,
  ]) {
    expect(readNumber(tooLong, 'en', anyNumber)).toBeNull();
  }
});

test('a long text is refused at once', () => {
  expect(readNumber(`0.${'0'.repeat(1_000_000)}1`, 'en', anyNumber)).toBeNull();
}, 60_000);

test('a Spanish page takes a comma and a point, and shows a comma', () => {
  expect(readNumber('1200,5', 'es', anyNumber)).toBe('1200.5');
  expect(readNumber('1200.5', 'es', anyNumber)).toBe('1200.5');
  expect(readNumber('1.200,5', 'es', anyNumber)).toBeNull();
  // Twelve hundred, or one and two tenths.
  for (const unclear of ['1.200', '-12.345', '999.000']) expect(readNumber(unclear, 'es', anyNumber)).toBeNull();
  for (const clear of ['0.125', '1234.567', '1.2000']) expect(readNumber(clear, 'es', anyNumber)).not.toBeNull();
  expect(readNumber('1.200', 'canonical', anyNumber)).toBe('1.2');
  expect(formatNumber('-1200.5', 'es')).toBe('-1200,5');
  expect(formatNumber('-1200.5', 'en')).toBe('-1200.5');
});

test('an English page takes a comma too, which phones of some regions have alone', () => {
  const english = { hasDecimalComma: false, groupsWithSpaces: false, takesComma: true };
  const read = (entered: string) => readNumber(entered, english, anyNumber);
  for (const [entered, value] of [
    ['12,50', '12.5'],
    ['-0,125', '-0.125'],
    ['1234,567', '1234.567'],
    ['1200.5', '1200.5'],
    ['1.200', '1.2'],
  ] as const) {
    expect(read(entered)).toBe(value);
  }
  // Twelve hundred, or one and two tenths.
  for (const unclear of ['1,200', '-12,345', '999,000', '1,200,000', '1,200.50', '1.200,50']) {
    expect(read(unclear), unclear).toBeNull();
  }
  expect(formatNumber('-1200.5', english)).toBe('-1200.5');
});

test('a page whose language separates thousands with spaces takes them in groups of three', () => {
  const french = { hasDecimalComma: true, groupsWithSpaces: true };
  const read = (entered: string) => readNumber(entered, french, anyNumber);
  for (const space of [' ', '\u00a0', '\u202f']) {
    expect(read(`1${space}200,5`)).toBe('1200.5');
    expect(read(`-12${space}345${space}678.25`)).toBe('-12345678.25');
  }
  expect(read('1200,5')).toBe('1200.5');
  const unclear = [
    '1 20',
    '1 2000',
    '12 34',
    '0 123',
    '1  200',
    '1 200\u00a0300',
    '1 200 30',
    '1200 300',
    '1,5 000',
    '1.200',
  ];
  for (const text of [...unclear, '1 200.300,5', ' 1 , 5', '1 200 ,5']) expect(read(text), text).toBeNull();
  for (const form of ['en', 'es', { ...french, groupsWithSpaces: false }] as const) {
    expect(readNumber('1 200', form, anyNumber)).toBeNull();
  }
  expect(formatNumber('-1200.5', french)).toBe('-1200,5');
});

test('decimal places are a maximum for what is entered, and a value is written with all of them', () => {
  const places = (decimals: number) => ({ ...anyNumber, decimals });
  expect(readNumber('12', 'en', places(2))).toBe('12.00');
  expect(readNumber('12.340', 'en', places(2))).toBe('12.34');
  expect(readNumber('12.345', 'en', places(2))).toBeNull();
  expect(readNumber('12.0', 'en', places(0))).toBe('12');
  expect(readNumber('12.5', 'en', places(0))).toBeNull();
  expect(readNumber('0.123456', 'en', places(6))).toBe('0.123456');
});

test('rules that no number obeys are found', () => {
  const rules = (min: string | null, max: string | null, decimals: number | null) => {
    return { number_min: min, number_max: max, decimals };
  };
  for (const none of [rules('0.1', '0.9', 0), rules('-0.9', '-0.1', 0), rules('1.21', '1.29', 1)]) {
    expect(hasNumbers(none)).toBe(false);
  }
  for (const some of [
    ...[rules('0.1', '1', 0), rules('-1', '-0.1', 0), rules('-0.9', '0.9', 0), rules('0.1', '0.9', null)],
    ...[rules('0.1', null, 0), rules('5', '5', 0), rules('1.21', '1.3', 1)],
  ]) {
    expect(hasNumbers(some)).toBe(true);
  }
});

test('both limits belong to the range, and are compared without rounding', () => {
  const rules = { number_min: '-0.1', number_max: '100000000000000.1', decimals: null };
  for (const inside of ['-0.1', '0', '100000000000000.1']) expect(readNumber(inside, 'en', rules)).toBe(inside);
  for (const outside of ['-0.100001', '100000000000000.100001', '-1']) {
    expect(readNumber(outside, 'en', rules)).toBeNull();
  }
  expect(['10', '-2', '0.5', '0'].sort(compareNumbers)).toEqual(['-2', '0', '0.5', '10']);
});
