import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TObject } from 'typebox';
import { ApiError } from '../errors.ts';
import { portablePatternKeyword } from './exact-pattern.ts';
import { asJsonSchema, type JsonSchema } from './json-schema.ts';

/** Schema keyword for the error code of an invalid value. */
export const errorCodeKeyword = 'x-error-code';

const ajv = new Ajv({ verbose: true, strict: true, keywords: [errorCodeKeyword, portablePatternKeyword] });

/**
 * Creates a validator for a body whose properties each carry their error code. Throws the `ApiError` of the first
 * invalid property, with its path as `param`.
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
 * Removes optional properties that are null, which means that they were left out. A null object stays and is refused. A
 * missing required property becomes null, so that its own rule refuses it and properties are checked in the declared
 * order.
 */
function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  const { items, properties, maxItems = Infinity } = schema;
  // A list that is too long is refused whatever its items are, so they aren't copied.
  if (Array.isArray(value) && value.length > maxItems) return value;
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
