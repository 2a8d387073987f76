import { type Field, readFieldValue } from '../documents/field.ts';
import { formatNumber, type NumberForm } from '../documents/number-value.ts';
import type { Entered } from './form-body.ts';
import type { FormProblem } from './pages/form-summary.ts';

/**
 * Writes entered numbers as another language does. A text that is no number is left out and becomes a problem that says what it
 * was, because the other language may read a number from it.
 */
export function rewriteNumbers(
  own: readonly Field[],
  entered: Entered['fields'],
  from: NumberForm,
  to: NumberForm,
): { fields: Map<string, string | null>; problems: FormProblem[] } {
  const fields = new Map(entered);
  const problems: FormProblem[] = [];
  for (const { id, ...field } of own) {
    const typed = fields.get(id);
    if (field.type !== 'number' || typed === undefined || typed === null) continue;
    const value = readFieldValue(field, typed, from);
    fields.set(id, value === null ? null : formatNumber(value, to));
    if (value === null) problems.push({ code: 'invalid_field', field: id, typed });
  }
  return { fields, problems };
}
