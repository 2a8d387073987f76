import type { TObject, TSchema } from 'typebox';
import { portablePatternKeyword } from '../../http/exact-pattern.ts';
import { isList, itemOf } from './list-answer.ts';
import { answerNameOf } from './names.ts';

export type JsonSchema = Record<string, unknown>;

export interface Reference {
  $ref: string;
}

/** The named schemas of the description. Putting one in gives the reference to use in its place. */
export interface SchemaBook {
  answer(schema: TObject): Reference;
  /** A body is named by its operation. */
  request(name: string, schema: TObject): Reference;
  put(name: string, schema: JsonSchema): Reference;
  all(): Record<string, JsonSchema>;
}

export function createSchemaBook(): SchemaBook {
  const schemas = new Map<string, JsonSchema>();

  function put(name: string, schema: JsonSchema): Reference {
    const known = schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are named ${name}: give one of them a title`);
    }
    schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  function answer(schema: TObject): Reference {
    const described = plain(schema);
    if (!isList(schema)) return put(answerNameOf(schema), described);
    const properties = described.properties as Record<string, JsonSchema>;
    const items = answer(itemOf(schema));
    return put(answerNameOf(schema), {
      ...described,
      properties: { ...properties, data: { ...properties.data, items } },
    });
  }

  return {
    answer,
    put,
    request: (name, schema) => put(name, withNulls(plain(schema))),
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A schema as JSON has it: TypeBox keeps what only TypeScript needs under symbols. Its patterns are portable ones. */
function plain(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value) => (isObject(value) ? withPortablePattern(value) : value));
}

function withPortablePattern(schema: JsonSchema): JsonSchema {
  if (!(portablePatternKeyword in schema)) return schema;
  const { pattern: _exact, [portablePatternKeyword]: pattern, ...rest } = schema;
  return pattern === null ? rest : { ...rest, pattern };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Optional properties may be `null`, which means that they were left out. Objects may not be null. */
function withNulls(schema: JsonSchema): JsonSchema {
  if (schema.type === 'array') return { ...schema, items: withNulls(schema.items as JsonSchema) };
  if (schema.type !== 'object') return schema;
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const mayBeNull = !required.includes(name) && property.type !== 'object';
        return [name, mayBeNull ? orNull(withNulls(property)) : withNulls(property)];
      }),
    ),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const values = schema.enum as unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
}
