import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CalculatedField, calculate, withReferences } from './calculate.ts';
import { fieldsMax } from './field.ts';
import { FormulaError, formulaLengthMax, parseFormula } from './formula.ts';
import { anyNumber, readNumber } from './number-value.ts';

/** Formulas: what is read, what is refused, and exact results. */

const field = (formula: string, decimals: number | null = null, position = 100): CalculatedField => {
  return { position, formula, decimals };
};
const resultOf = (formula: string, values: (string | null)[] = [], decimals: number | null = null) =>
  calculate([field(formula, decimals)], (position) => values[position] ?? null).get(100);
const calculated = (...given: Parameters<typeof resultOf>) => resultOf(...given)?.value;

test.each<[string, (string | null)[], number | null, string | null]>([
  ['{0} * {1} * 1.21', ['3', '9.99'], 2, '36.26'],
  ['{0}+{1}*2', ['1', '2'], null, '5'],
  ['({0}+{1})*2', ['1', '2'], null, '6'],
  ['{0} - {1} - 1', ['10', '3'], null, '6'],
  ['{0} / {1} / 2', ['12', '3'], null, '2'],
  ['-{0} + -(-2)', ['5'], null, '-3'],
  ['+{0}', ['5'], 2, '5.00'],
  // Exact: no digit is lost between.
  ['{0} / 3 * 3', ['1'], null, '1'],
  ['{0} + 0.2', ['0.1'], null, '0.3'],
  ['{0} / 3', ['2'], null, '0.666667'],
  // Halves go away from zero.
  ['{0} / 2', ['0.01'], 2, '0.01'],
  ['{0} / 2', ['-0.01'], 2, '-0.01'],
  ['{0} / 2', ['5'], 0, '3'],
  ['{0} / 2', ['-5'], 0, '-3'],
  ['{0} / 1000', ['-4'], 2, '0.00'],
  ['{0} × {0} ÷ 2 − 1', ['4'], null, '7'],
  ['{0} : 4', ['1'], null, '0.25'],
  // A sum leaves out what is empty.
  ['sum({0}, {1}, {2})', ['1', null, '2.5'], 2, '3.50'],
  ['SUM({0};{1}) * 2', ['1', '4'], null, '10'],
  ['{0} * {0}', ['999999999999999'], null, null],
  ['{0} + 0.5', ['999999999999999'], 0, null],
  ['{0} * 1', ['-'], null, null],
])('%s of %j with %s decimals is %s', (formula, values, decimals, expected) => {
  expect(calculated(formula, values, decimals)).toBe(expected);
});

test('a result that is missing says why', () => {
  expect(resultOf('{0} * {1} + {2} * {1}', ['1'])).toEqual({ value: null, reason: 'missing', missing: [1, 2] });
  expect(resultOf('sum({0}, {1})')).toEqual({ value: null, reason: 'missing', missing: [0, 1] });
  expect(resultOf('1 / ({0} - {0})', ['7'])).toEqual({ value: null, reason: 'division_by_zero' });
  // What can be filled in comes first.
  expect(resultOf('1 / 0 + {0}')).toEqual({ value: null, reason: 'missing', missing: [0] });
  expect(resultOf('{0} * 10', ['999999999999999'])).toEqual({ value: null, reason: 'too_large' });
});

test('a field uses the rounded result of another one, and what it lacks is named', () => {
  const fields = [field('{2} * 3', 2, 1), field('{0} / 3', 2, 2), field('sum({2}, {4})', 2, 3), field('1/{5}', 2, 4)];
  const values = (given: Record<number, string>) => calculate(fields, (position) => given[position] ?? null);
  expect([...values({ 0: '2' })].sort()).toEqual([
    [1, { value: '2.01' }],
    [2, { value: '0.67' }],
    [3, { value: '0.67' }],
    [4, { value: null, reason: 'missing', missing: [5] }],
  ]);
  expect(values({}).get(1)).toEqual({ value: null, reason: 'missing', missing: [0] });
  expect(values({ 0: '1', 5: '0' }).get(3)).toEqual({ value: null, reason: 'division_by_zero' });
});

test('a stored circle ends', () => {
  const results = calculate([field('{2} + 1', null, 1), field('{1} + 1', null, 2)], () => null);
  expect([...results.values()].map(({ value }) => value)).toEqual([null, null]);
});

test.each<[string, string]>([
  ['', 'empty'],
  [' \n', 'empty'],
  [`{0}${' '.repeat(formulaLengthMax)}`, 'too_long'],
  [`${'('.repeat(21)}{0}${')'.repeat(21)}`, 'too_deep'],
  [`${'-'.repeat(21)}{0}`, 'too_deep'],
  ['1 + 2', 'no_field'],
  ['{0} + 1,5', 'not_number'],
  ['{0} + 1.2.3', 'not_number'],
  ['{0} + 1234567890123456', 'not_number'],
  ['{0} + 0.1234567', 'not_number'],
  ['{0} +', 'unfinished'],
  ['({0}', 'unfinished'],
  ['sum', 'unfinished'],
  ['sum(', 'unfinished'],
  ['{0} {1}', 'unexpected'],
  ['{0})', 'unexpected'],
  ['* {0}', 'unexpected'],
  ['{0} ** 2', 'unexpected'],
  ['{0} ^ 2', 'unexpected'],
  ['{0', 'unexpected'],
  ['0}', 'unexpected'],
  ['max({0})', 'unexpected'],
  ['constructor', 'unexpected'],
  ['{0} + \u{1f4a3}', 'unexpected'],
  ['{0} + \ud800', 'unexpected'],
  ['sum({0}, 2)', 'not_in_sum'],
  ['sum({0} + {1})', 'unexpected'],
  ['sum()', 'not_in_sum'],
  ['{0}; {1}', 'unexpected'],
])('%j is refused: %s', (text, problem) => {
  expect(() => parseFormula(text)).toThrow(expect.objectContaining({ problem }));
});

test('a formula is written with other references and the decimal sign of a language', () => {
  const { references, write } = parseFormula('suma({Precio};{IVA})×1,5-(-{Precio})', 'es');
  expect(references).toEqual(['Precio', 'IVA']);
  const numbered = write('canonical', (name) => String(references.indexOf(name)));
  expect(numbered).toBe('sum({0}, {1}) * 1.5 - (-{0})');
  expect(parseFormula(numbered).write('es', (at) => references[Number(at)] ?? '')).toBe(
    'sum({Precio}, {IVA}) * 1,5 - (-{Precio})',
  );
  expect(withReferences(numbered, (position) => String(position + 1))).toBe('sum({1}, {2}) * 1.5 - (-{1})');
  expect(() => parseFormula('{0} * 1.200', 'es')).toThrow(expect.objectContaining({ problem: 'not_number' }));
});

/** Expressions with their results as fractions, from an evaluator of its own. */
type Sample = { text: string; value: (values: readonly bigint[]) => readonly [bigint, bigint] | null };
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(4).map((at): Sample => ({ text: `{${at}}`, value: (values) => [values[at] ?? 0n, 1n] })),
    fc.nat(99).map((number): Sample => ({ text: String(number), value: () => [BigInt(number), 1n] })),
    tie('sample').map(({ text, value }): Sample => {
      const negative = (values: readonly bigint[]) => {
        const inner = value(values);
        return inner && ([-inner[0], inner[1]] as const);
      };
      return { text: `-(${text})`, value: negative };
    }),
    fc.tuple(tie('sample'), fc.constantFrom('+', '-', '*', '/'), tie('sample')).map(([left, operator, right]) => ({
      text: `(${left.text}) ${operator} (${right.text})`,
      value: (values: readonly bigint[]) => {
        const [one, other] = [left.value(values), right.value(values)];
        if (one === null || other === null) return null;
        const [[a, b], [c, d]] = [one, other];
        if (operator === '+') return [a * d + c * b, b * d] as const;
        if (operator === '-') return [a * d - c * b, b * d] as const;
        if (operator === '*') return [a * c, b * d] as const;
        return c === 0n ? null : ([a * d, b * c] as const);
      },
    })),
  ),
}));

test('results agree with exact arithmetic, and are the nearest decimal', () => {
  const decimals = fc.nat(6);
  fc.assert(
    fc.property(
      sample,
      fc.array(fc.bigInt(-999n, 999n), { minLength: 5, maxLength: 5 }),
      decimals,
      (one, values, places) => {
        fc.pre(one.text.includes('{') && one.text.length <= formulaLengthMax);
        let result: ReturnType<typeof resultOf>;
        try {
          result = resultOf(one.text, values.map(String), places);
        } catch (error) {
          expect(error).toMatchObject({ problem: 'too_deep' });
          return;
        }
        const exact = one.value(values);
        if (exact === null) {
          expect(result).toEqual({ value: null, reason: 'division_by_zero' });
          return;
        }
        if (result?.value === null) {
          expect(result).toEqual({ value: null, reason: 'too_large' });
          return;
        }
        expect(readNumber(result?.value ?? '', 'canonical', { ...anyNumber, decimals: places })).toBe(result?.value);
        const scale = 10n ** BigInt(places);
        const units = BigInt((result?.value ?? '').replace('.', ''));
        // |units / scale - n / d| <= 1 / (2 * scale)
        const [n, d] = exact;
        const distance = 2n * (units * d - n * scale);
        const size = (number: bigint) => (number < 0n ? -number : number);
        expect(size(distance) <= size(d)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test('any text is read or refused in short time, and what is read is written the same', () => {
  const pieces = fc.constantFrom(
    ...['{0}', '{1}', '1.5', '+', '-', '*', '/', '(', ')', 'sum(', ',', ' ', '{', '}', 'é'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const canonical = parseFormula(text).write('canonical', (reference) => reference);
        if (canonical.length > formulaLengthMax) return;
        expect(parseFormula(canonical).write('canonical', (reference) => reference)).toBe(canonical);
        expect(parseFormula(canonical).root).toEqual(parseFormula(text).root);
      } catch (error) {
        expect(error).toBeInstanceOf(FormulaError);
      }
    }),
    { numRuns: 300 },
  );
});

test('the longest formulas are calculated, in as many fields as a file can have', () => {
  const long = Array.from({ length: 83 }, () => '{1}').join(' / ');
  const fields = Array.from({ length: 500 }, (_, position) => field(long, 6, position + 2));
  expect(calculate(fields, () => '0.000123').size).toBe(500);
});

test.each([
  ['the next one', (position: number) => position + 1, fieldsMax - 1],
  ['the one before', (position: number) => position - 1, 0],
])('the longest chain of fields is calculated when each uses %s', (_name, used, entered) => {
  const positions = Array.from({ length: fieldsMax }, (_, position) => position).filter((one) => one !== entered);
  const terms = Math.floor((formulaLengthMax - 5) / 2);
  const chain = positions.map((position) => field(`{${used(position)}}${'+1'.repeat(terms)}`, null, position));
  const results = calculate(chain, (position) => (position === entered ? '7' : null));
  expect(results.size).toBe(fieldsMax - 1);
  expect(results.get(fieldsMax - 1 - entered)).toEqual({ value: String(7 + chain.length * terms) });
});
