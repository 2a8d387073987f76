import { openApiDescription } from '../client/openapi-types.ts';

export const operationsFile = new URL('../../src/mcp/operations.json', import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is read as JSON
type Schema = any;

/** The scope, the input and the answer of each operation of the API, as the tools of the MCP server take and give them. */
export function renderOperations(): string {
  const { paths, components } = openApiDescription();
  const operations = Object.values<Record<string, Schema>>(paths).flatMap((path) => Object.values(path));
  const rendered = operations.map((operation) => [
    operation.operationId,
    {
      scope: operation['x-required-scope'] ?? null,
      input: inputOf(operation, components),
      output: withoutLimits(inlined(answerOf(operation), components)),
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(rendered), null, 2)}\n`;
}

/** Parameters and properties of the body in one object. An optional idempotency key instead of the header. */
function inputOf({ parameters = [], requestBody }: Schema, components: Schema): Schema {
  const body = requestBody === undefined ? {} : inlined(jsonOf(requestBody), components);
  const own = parameters.filter((parameter: Schema) => parameter.name !== undefined);
  const properties = own.map(({ name, description, schema }: Schema) => [name, { ...schema, description }]);
  const required = own.filter((parameter: Schema) => parameter.required).map(({ name }: Schema) => name);
  return {
    type: 'object',
    properties: withoutCodes({ ...Object.fromEntries(properties), ...body.properties }),
    required: [...required, ...(body.required ?? [])],
    additionalProperties: false,
  };
}

function answerOf({ responses }: Schema): Schema {
  return jsonOf(responses['200'] ?? responses['201']);
}

function jsonOf({ content }: Schema): Schema {
  return content['application/json'].schema;
}

function inlined(schema: Schema, components: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_name, value) =>
    typeof value?.$ref === 'string'
      ? inlined(components.schemas[value.$ref.replace('#/components/schemas/', '')], components)
      : value,
  );
}

function withoutCodes(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value) => (name === 'x-error-code' ? undefined : value));
}

/**
 * A newer server may answer values that this version does not know. They must not turn a write that was done into an error,
 * so values are given as examples and limits are left out.
 */
function withoutLimits(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    if (typeof value?.type !== 'string' && !Array.isArray(value?.type)) return value;
    const { enum: examples, format: _format, minimum: _minimum, pattern: _pattern, ...rest } = value;
    return examples === undefined ? rest : { ...rest, examples };
  });
}
