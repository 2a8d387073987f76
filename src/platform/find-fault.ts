import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/**
 * Validates a value against a schema. Returns null if it is valid, else the path of the first invalid value, such as
 * `pages.0.text`. The path is '' for the value itself, and that of the value if no form of a union fits.
 */
export function findFault(schema: TSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return null;
  // Without `allErrors` the last error is the outermost one, which a union reports after its branches.
  const { instancePath = '' } = validate.errors?.at(-1) ?? {};
  return instancePath.slice(1).replaceAll('/', '.');
}

/** Whether a value is valid against a schema. */
export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return findFault(schema, value) === null;
}
