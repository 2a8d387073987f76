import { Ajv, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/**
 * Checks a value against a schema. Returns null when it holds, else the path of the first fault, such as `pages.0.text`,
 * or '' for the value itself. For a value that is none of several forms the path is that of the value.
 */
export function findFault(schema: TSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return null;
  // Without `allErrors` the last error is the outermost: what a union says after its branches.
  const { instancePath = '' } = validate.errors?.at(-1) ?? {};
  return instancePath.slice(1).replaceAll('/', '.');
}
