import { calculate, canBeEntered, type Result } from '../documents/calculate.ts';
import type { Field } from '../documents/field.ts';
import { shownFields } from '../documents/field-condition.ts';

/**
 * Returns the results of a recipient's calculated fields, by field id. `own`: the recipient's fields with their values at this
 * moment. `all`: all fields of the document, of which others' values are final. A hidden field has no result and no value.
 */
export function calculateOwn(own: readonly Field[], all: readonly Field[]): Map<string, Result> {
  const calculated = own.filter(({ formula }) => formula !== null);
  if (calculated.length === 0) return new Map();
  const shown = shownFields(own, ({ value }) => value);
  const ownIds = new Set(own.map(({ id }) => id));
  const others = all.filter(({ id }) => !ownIds.has(id));
  const values = new Map([...others, ...shown].map(({ position, value }) => [position, value]));
  const results = calculate(
    calculated.filter((field) => shown.has(field)),
    (position) => values.get(position) ?? null,
  );
  return new Map(
    calculated.flatMap(({ id, position }) => {
      const result = results.get(position);
      return result === undefined ? [] : [[id, result]];
    }),
  );
}

/**
 * Returns whether the recipient must bring about the result of a required field. Where only numbers of others are missing, they
 * can't, and sign without it. `own`: the recipient's fields by their positions.
 */
export function mustGiveResult(field: Field, result: Result | undefined, own: ReadonlyMap<number, Field>): boolean {
  if (!field.required || field.formula === null || result === undefined) return field.required;
  if (result.value !== null) return true;
  return canBeEntered(
    field.formula,
    result,
    (position) => own.get(position)?.formula ?? null,
    (position) => {
      const entered = own.get(position);
      return entered !== undefined && !entered.is_fixed && entered.formula === null;
    },
  );
}
