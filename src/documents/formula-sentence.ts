import { depthMax, type FormulaError, type FormulaProblem, formulaLengthMax } from './formula.ts';

const sentences: Record<FormulaProblem, string> = {
  empty: 'must not be empty',
  too_long: `must be at most ${formulaLengthMax} characters`,
  too_deep: `has more than ${depthMax} parentheses or signs inside one another`,
  not_number: 'has "{at}", which is not a number',
  unexpected: 'has "{at}" where something else is expected',
  unfinished: 'ends too early',
  no_field: 'must use at least one field',
  not_in_sum: 'has "{at}" in a sum, which only takes fields',
};

/** Says what is wrong with a formula, to follow its name. */
export function formulaSentence({ problem, at }: FormulaError): string {
  return sentences[problem].replace('{at}', () => at.slice(0, 40));
}
