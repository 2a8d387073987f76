import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Input, ObjectSchema } from './operations.ts';

type ToolSchema = StandardSchemaWithJSON<Input, Input>;

const compiled = new WeakMap<ObjectSchema, ToolSchema>();

/** Compiles each schema once: a server is created for each connection, or for each request. */
export function toolSchema(schema: ObjectSchema): ToolSchema {
  const known = compiled.get(schema) ?? fromJsonSchema<Input>(schema);
  compiled.set(schema, known);
  return known;
}
