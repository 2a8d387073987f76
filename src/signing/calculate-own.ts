import { calculate, canBeEntered, type Reach, type Result } from '../documents/calculate.ts';
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

/** A field of the recipient. `isShown`: whether its condition holds, or it has none. */
export type OwnField = Field & { isShown: boolean };

/**
 * Returns whether the recipient must bring about the result of a required field. Where only numbers of others or of hidden fields
 * are missing, they can't, and sign without it. `own`: the recipient's fields by their positions.
 */
export function mustGiveResult(field: Field, result: Result | undefined, own: ReadonlyMap<number, OwnField>): boolean {
  if (!field.required || field.formula === null || result === undefined) return field.required;
  return result.value !== null || canBeEntered(field.formula, result, (position) => reachOf(own.get(position)));
}

function reachOf(field: OwnField | undefined): Reach {
  if (field === undefined) return 'none';
  if (!field.isShown) return 'hidden';
  if (field.formula !== null) return { formula: field.formula };
  return field.is_fixed ? 'none' : 'entered';
}
