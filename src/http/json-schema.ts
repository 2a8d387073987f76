import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/** A schema as the code that walks one sees it: the JSON Schema keywords that this service uses. */
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
  /** The code that answers when the schema does not hold. */
  'x-error-code'?: ErrorCode;
}

/** TypeBox types a schema by what it accepts, and not by its keywords. */
export function asJsonSchema(schema: TSchema): JsonSchema {
  return schema as JsonSchema;
}
