import { anyNumber, compareNumbers, readNumber } from '../../../src/documents/number-value.ts';
import { fill } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import type { Placed } from './placing.ts';

/** As `optionsMin`, `optionsMax` and `optionLengthMax` of the server. */
const options = { min: 2, max: 100, lengthMax: 100 };

/** Says what the server would refuse about a field's value and rules, or returns null. */
export function fieldProblem(field: Placed): string | null {
  const { problems } = fieldsText;
  const found = field.type === 'number' ? numberProblem(field) : optionsProblem(field);
  if (found !== null) return found;
  return field.read_only && field.value === null ? problems.noValue : null;
}

function numberProblem({ min, max, decimals, value }: Placed): string | null {
  const { problems } = fieldsText;
  const isNumber = (text: string | null) => text === null || readNumber(text, 'en', anyNumber) !== null;
  if (![min, max, value].every(isNumber)) return problems.notNumber;
  if (min !== null && max !== null && compareNumbers(min, max) > 0) return problems.maxBelowMin;
  const rules = { number_min: min, number_max: max, decimals };
  return value !== null && readNumber(value, 'en', rules) === null ? problems.outside : null;
}

function optionsProblem({ type, options: given }: Placed): string | null {
  if (type !== 'dropdown') return null;
  const { problems } = fieldsText;
  const list = given ?? [];
  if (list.length < options.min || list.length > options.max) return fill(problems.optionCount, options);
  if (list.some((option) => [...option].length > options.lengthMax)) return fill(problems.optionLength, options);
  const twin = list.find((option, index) => list.indexOf(option) < index);
  return twin === undefined ? null : fill(problems.optionTwice, { option: twin });
}
