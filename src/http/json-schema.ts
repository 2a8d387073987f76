import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/** The JSON Schema keywords that this service uses. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: Array<string | null>;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  /** Error code of a value that doesn't match. */
  'x-error-code'?: ErrorCode;
}

/** Gives access to a schema's keywords. TypeBox types a schema by what it accepts. */
export function asJsonSchema(schema: TSchema): JsonSchema {
  return schema as JsonSchema;
}
