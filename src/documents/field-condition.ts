import type { FieldType } from './field-types.ts';

// The signing page's script imports this file, so it imports nothing that needs Node.js.

/** A field that may depend on another one of the same recipient. */
export interface ConditionalField {
  position: number;
  type: FieldType;
  /** The position of the field that this one depends on. Null: it is always shown. */
  condition_position: number | null;
  /** The value that the other field must have. */
  condition_value: string | null;
}

/**
 * Returns the fields that are shown: those without a condition, and those whose condition holds on a field that is shown
 * itself. `currentValue`: the value of a field at this moment.
 */
export function shownFields<F extends ConditionalField>(
  fields: readonly F[],
  currentValue: (field: F) => string | null,
): Set<F> {
  const byPosition = new Map(fields.map((field) => [field.position, field]));
  const holds = (field: F): boolean => {
    let dependent = field;
    // A chain can't be longer than the fields, because placing them refuses cycles.
    for (let links = 0; links < fields.length; links++) {
      const other = byPosition.get(dependent.condition_position ?? -1);
      if (other === undefined) return true;
      const value = currentValue(other) ?? (other.type === 'checkbox' ? 'false' : null);
      if (value !== dependent.condition_value) return false;
      dependent = other;
    }
    return false;
  };
  return new Set(fields.filter(holds));
}
