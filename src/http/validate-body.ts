import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TObject } from 'typebox';
import { ApiError } from '../errors.ts';
import { portablePatternKeyword } from './exact-pattern.ts';
import { asJsonSchema, type JsonSchema } from './json-schema.ts';

/** The keyword with which a schema names the code that answers when it does not hold. */
export const errorCodeKeyword = 'x-error-code';

const ajv = new Ajv({ verbose: true, strict: true, keywords: [errorCodeKeyword, portablePatternKeyword] });

/**
 * A validator for a body whose every property carries its own error code: the rule, the code and the description stand
 * in one place. Throws the `ApiError` of the first property at fault, with its path as `param`.
 */
export function bodyValidator<Schema extends TObject>(schema: Schema): (body: unknown) => Static<Schema> {
  const validate = ajv.compile<Static<Schema>>(schema);
  return (body) => {
    const given = withoutNulls(asJsonSchema(schema), body);
    if (validate(given)) return given;
    throw toApiError((validate.errors as ErrorObject[])[0] as ErrorObject);
  };
}

/**
 * `null` for an optional property means it was left out; an object that is null stays, and is refused (decisions.md).
 * A required property that is missing becomes null, which its own rule refuses: so properties are judged in the order
 * in which they are declared, whether missing or wrong.
 */
function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  const { items, properties } = schema;
  if (items !== undefined && Array.isArray(value)) return value.map((item) => withoutNulls(items, item));
  if (properties === undefined || !isObject(value)) return value;
  const given: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = schema.required?.includes(name) === true;
    const member = Object.hasOwn(value, name) ? value[name] : isRequired ? null : undefined;
    if (member === undefined || (member === null && !isRequired && property.type !== 'object')) continue;
    given[name] = withoutNulls(property, member);
  }
  return given;
}

function toApiError(error: ErrorObject): ApiError {
  const code = (error.parentSchema as JsonSchema)[errorCodeKeyword];
  if (code === undefined) throw new Error('a schema of a request body has no error code');
  return new ApiError(code, { param: code === 'invalid_body' ? 'body' : paramOf(error.instancePath) });
}

/** `/recipients/2/email` → `recipients[2].email` */
function paramOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
