import { readFileSync } from 'node:fs';

type JsonSchema = Record<string, unknown>;

export interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: readonly string[];
  additionalProperties?: boolean;
  [keyword: string]: unknown;
}

/** Input of a tool that fits its schema. */
export type Input = Record<string, unknown>;

interface Operation {
  /** The scope that a key needs. Null when any key may do it. */
  scope: string | null;
  input: ObjectSchema;
  output: ObjectSchema;
}

type OperationId =
  | 'getAccount'
  | 'listDocuments'
  | 'getDocument'
  | 'listDocumentRecipients'
  | 'createDocument'
  | 'sendDocument'
  | 'downloadDocument'
  | 'listImports'
  | 'getImport'
  | 'listImportItems'
  | 'createImport';

/**
 * The operations of the API. `npm run client:types` writes the file from the OpenAPI description, so that this server needs
 * nothing of the service that it calls.
 */
export const operations: Record<OperationId, Operation> = JSON.parse(
  readFileSync(new URL('./operations.json', import.meta.url), 'utf8'),
);

/** Printable ASCII, because it becomes a header. */
export const idempotencyKeySchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Any unique text. A call that is repeated with it and the same input within 24 hours writes once.',
};

export function withProperties(schema: ObjectSchema, properties: Record<string, JsonSchema>): ObjectSchema {
  return { ...schema, properties: { ...schema.properties, ...properties } };
}
