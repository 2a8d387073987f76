import { type Expression, type Formula, parseFormula } from './formula.ts';
import { decimalsMax, numberDigitsMax } from './number-value.ts';

// The signing page's script imports this file, so it imports nothing that needs Node.js.

/**
 * Calculates the values of calculated fields. Numbers are exact fractions, so nothing is rounded before the result, which is
 * rounded half up, away from zero, to the decimals of its field.
 */

/** A field as far as calculating needs it. */
export interface CalculatedField {
  position: number;
  /** Refers to other fields by their positions. Null: the field isn't calculated. */
  formula: string | null;
  decimals: number | null;
}

/** The value, as a canonical decimal, or why there is none. `missing`: the positions of the fields that are empty. */
export type Result = { value: string } | Failure;
export type Failure =
  | { value: null; reason: 'missing'; missing: readonly number[] }
  | { value: null; reason: 'division_by_zero' }
  | { value: null; reason: 'too_large' };

/**
 * A numerator and a denominator, which is positive. They aren't reduced: the length of a formula limits their digits to a few
 * thousand, and reducing costs more than it saves.
 */
type Fraction = readonly [bigint, bigint];

type ResultAt = (position: number) => Result;

/**
 * Returns the results of the calculated fields of a list, by position. `valueAt`: the value of any other field. Fields that are
 * hidden must be left out of the list, and have no value. A field uses the rounded result of another one, as people see it.
 */
export function calculate(
  fields: readonly CalculatedField[],
  valueAt: (position: number) => string | null,
): Map<number, Result> {
  const formulas = new Map(
    fields.flatMap(({ position, formula, decimals }) =>
      formula === null ? [] : [[position, { ...parsed(formula), decimals }]],
    ),
  );
  const results = new Map<number, Result>();
  // Placing fields refuses circles. In one that is stored nevertheless, a result is missing.
  const resultAt: ResultAt = (position) =>
    results.get(position) ?? given(formulas.has(position) ? null : valueAt(position), position);
  for (const position of inOrder(formulas)) {
    const { root, decimals } = formulas.get(position) as Formula & { decimals: number | null };
    results.set(position, resultOf(root, decimals, resultAt));
  }
  return results;
}

/**
 * Returns the positions of calculated fields, each after those that it uses. Without recursion, because a chain of fields can be
 * as long as the list.
 */
function inOrder(formulas: ReadonlyMap<number, Formula>): Set<number> {
  const ordered = new Set<number>();
  const begun = new Set<number>();
  const open = [...formulas.keys()];
  for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
    const uses = begun.has(position) ? [] : (formulas.get(position)?.references ?? []).map(Number);
    const next = uses.filter((one) => formulas.has(one) && !begun.has(one));
    begun.add(position);
    if (next.length > 0) open.push(...next);
    else ordered.add(open.pop() as number);
  }
  return ordered;
}

/** Whether a recipient can enter a number, or those of its formula. `hidden`: it isn't used. `none`: it comes from others. */
export type Reach = 'entered' | 'hidden' | 'none' | { formula: string };

/**
 * Returns whether the recipient can surely bring about a result: a number that is missing is theirs to enter, or another failure
 * comes from numbers that are all theirs.
 */
export function canBeEntered(formula: string, failure: Failure, reachOf: (position: number) => Reach): boolean {
  if (failure.reason === 'missing') return failure.missing.some((position) => reachOf(position) === 'entered');
  const behind = new Set(parsed(formula).references.map(Number));
  for (const position of behind) {
    const reach = reachOf(position);
    if (reach === 'none') return false;
    if (typeof reach === 'object')
      for (const reference of parsed(reach.formula).references) behind.add(Number(reference));
  }
  return true;
}

/** The page's script calculates on each keystroke. */
const cache = new Map<string, Formula>();

function parsed(text: string): Formula {
  const known = cache.get(text) ?? parseFormula(text);
  if (cache.size > 1000) cache.clear();
  cache.set(text, known);
  return known;
}

/** An erased number, which is stored as `-`, is missing too. */
function given(value: string | null, position: number): Result {
  const isNumber = value !== null && /^-?\d+(\.\d+)?$/.test(value);
  return isNumber ? { value } : { value: null, reason: 'missing', missing: [position] };
}

/** A formula whose fields are empty says so, whatever else is wrong with it. */
function resultOf(root: Expression, decimals: number | null, resultAt: ResultAt): Result {
  const missing = new Set<number>();
  const value = evaluate(root, resultAt, missing);
  return missing.size > 0 ? { value: null, reason: 'missing', missing: [...missing] } : rounded(value, decimals);
}

/** Collects in `missing` which fields are empty: lists in each result would be joined again at each operator. */
function evaluate(expression: Expression, resultAt: ResultAt, missing: Set<number>): Fraction | Failure {
  switch (expression.kind) {
    case 'number':
      return fractionOf(expression.value);
    case 'field': {
      const value = fractionAt(expression.reference, resultAt);
      addMissing([value], missing);
      return value;
    }
    case 'sum':
      return sumOf(
        expression.references.map((reference) => fractionAt(reference, resultAt)),
        missing,
      );
    case 'negation': {
      const operand = evaluate(expression.operand, resultAt, missing);
      return isFailure(operand) ? operand : [-operand[0], operand[1]];
    }
    default: {
      const left = evaluate(expression.left, resultAt, missing);
      const right = evaluate(expression.right, resultAt, missing);
      if (isFailure(left)) return left;
      return isFailure(right) ? right : operate(expression.kind, left, right);
    }
  }
}

function operate(operator: '+' | '-' | '*' | '/', [a, b]: Fraction, [c, d]: Fraction): Fraction | Failure {
  switch (operator) {
    case '+':
      return [a * d + c * b, b * d];
    case '-':
      return [a * d - c * b, b * d];
    case '*':
      return [a * c, b * d];
    case '/':
      if (c === 0n) return { value: null, reason: 'division_by_zero' };
      return c < 0n ? [-a * d, -b * c] : [a * d, b * c];
  }
}

/** Adds those that have a value. A sum of fields that are all empty is missing itself. */
function sumOf(operands: readonly (Fraction | Failure)[], missing: Set<number>): Fraction | Failure {
  const values = operands.flatMap((operand): Fraction[] => (isFailure(operand) ? [] : [operand]));
  const failures = operands.filter(isFailure);
  const limit = failures.find(({ reason }) => reason !== 'missing');
  if (limit !== undefined) return limit;
  if (values.length === 0) {
    addMissing(failures, missing);
    return failures[0] as Failure;
  }
  return values.reduce(([a, b], [c, d]) => [a * d + c * b, b * d]);
}

function addMissing(operands: readonly (Fraction | Failure)[], missing: Set<number>): void {
  for (const operand of operands) {
    if (isFailure(operand) && operand.reason === 'missing')
      for (const position of operand.missing) missing.add(position);
  }
}

function fractionAt(reference: string, resultAt: ResultAt): Fraction | Failure {
  const result = resultAt(Number(reference));
  return result.value === null ? result : fractionOf(result.value);
}

function fractionOf(decimal: string): Fraction {
  const [whole = '', fraction = ''] = decimal.split('.');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
}

function isFailure(value: Fraction | Failure): value is Failure {
  return 'reason' in value;
}

/** Returns a canonical decimal. Without `decimals`, it has as many as needed, up to `decimalsMax`. */
function rounded(value: Fraction | Failure, decimals: number | null): Result {
  if (isFailure(value)) return value;
  const [numerator, denominator] = value;
  const places = decimals ?? decimalsMax;
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(places);
  const units = (2n * size + denominator) / (2n * denominator);
  const digits = String(units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  if (whole.length > numberDigitsMax) return { value: null, reason: 'too_large' };
  const fraction = digits.slice(digits.length - places);
  const shown = decimals === null ? fraction.replace(/0+$/, '') : fraction;
  const sign = numerator < 0n && units > 0n ? '-' : '';
  return { value: `${sign}${whole}${shown && `.${shown}`}` };
}

/** Returns a formula with other references, each of which is a position. */
export function withReferences(formula: string, rename: (position: number) => string): string {
  return parseFormula(formula).write('canonical', (reference) => rename(Number(reference)));
}
