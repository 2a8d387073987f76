import { anyNumber, compareNumbers, readNumber } from '../../../src/documents/number-value.ts';
import { isTextFormat, readFormatted } from '../../../src/documents/text-format.ts';
import { fill } from '../language.ts';
import { fieldsText } from './fields-texts.ts';
import { formulaProblem, type SigningOrder } from './formula-text.ts';
import type { Placed } from './placing.ts';
import { groupOf } from './radio-group.ts';

/** As `optionsMin`, `optionsMax` and `optionLengthMax` of the server. */
const options = { min: 2, max: 100, lengthMax: 100 };
/** As `groupMin` and `groupMax`. */
const buttons = { min: 2, max: 20 };

/** Says what the server would refuse about a field's value and rules, or returns null. */
export function fieldProblem(field: Placed, fields: readonly Placed[], order: SigningOrder): string | null {
  const { problems } = fieldsText;
  const found = numberProblem(field) ?? formatProblem(field) ?? optionsProblem(field) ?? groupProblem(field, fields);
  const wrong = found ?? formulaProblem(field, fields, order);
  if (wrong !== null) return wrong;
  if (isConditionLost(field, fields)) return problems.conditionLost;
  const needsValue = field.read_only && field.type !== 'date';
  return needsValue && field.value === null ? problems.noValue : null;
}

/** Whether a field depends on one that is gone or someone else's, on an option that is gone, or on a button of its own group. */
function isConditionLost(field: Placed, fields: readonly Placed[]): boolean {
  const { shown_if: condition } = field;
  if (condition === null) return false;
  const decider = fields.find(({ key }) => key === condition.key);
  if (decider === undefined || decider.recipient !== field.recipient) return true;
  if (groupOf(fields, field).includes(decider)) return true;
  return decider.type === 'dropdown' && !decider.options?.includes(condition.value);
}

function numberProblem({ type, min, max, decimals, value }: Placed): string | null {
  if (type !== 'number') return null;
  const { problems } = fieldsText;
  const isNumber = (text: string | null) => text === null || readNumber(text, 'en', anyNumber) !== null;
  if (![min, max, value].every(isNumber)) return problems.notNumber;
  if (min !== null && max !== null && compareNumbers(min, max) > 0) return problems.maxBelowMin;
  const rules = { number_min: min, number_max: max, decimals };
  return value !== null && readNumber(value, 'en', rules) === null ? problems.outside : null;
}

function formatProblem({ text_format: format, value }: Placed): string | null {
  if (format === null) return null;
  const { problems } = fieldsText;
  if (!isTextFormat(format.trim())) return problems.noPattern;
  return value !== null && readFormatted(format.trim(), value) === null ? problems.otherFormat : null;
}

function optionsProblem({ type, options: given, value }: Placed): string | null {
  if (type !== 'dropdown') return null;
  const { problems } = fieldsText;
  const list = given ?? [];
  if (list.length < options.min || list.length > options.max) return fill(problems.optionCount, options);
  if (list.some((option) => [...option].length > options.lengthMax)) return fill(problems.optionLength, options);
  const twin = list.find((option, index) => list.indexOf(option) < index);
  if (twin !== undefined) return fill(problems.optionTwice, { option: twin });
  return value !== null && !list.includes(value) ? problems.valueLost : null;
}

function groupProblem(field: Placed, fields: readonly Placed[]): string | null {
  if (field.type !== 'radio') return null;
  const { problems } = fieldsText;
  const group = groupOf(fields, field);
  if ((field.group ?? '').trim() === '') return problems.noGroup;
  if (field.label === null) return problems.noLabel;
  if (group.length < buttons.min || group.length > buttons.max) return fill(problems.buttonCount, buttons);
  const isTwice = group.some((other) => other !== field && other.label === field.label);
  return isTwice ? fill(problems.labelTwice, { label: field.label }) : null;
}
