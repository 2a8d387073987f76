import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/**
 * The part of an endpoint's declaration that HTTP needs. The request pipeline, the OpenAPI document and the scope tests
 * read the same table.
 */
export interface EndpointDeclaration {
  method: 'GET' | 'POST';
  /** Path below `/api/v1`, with `:id` for a path parameter. */
  path: string;
  summary: string;
  description: string;
  /** Query parameters by name. The `x-error-code` of a schema is the error of an invalid value. */
  query?: Record<string, TSchema>;
  /** The JSON body. Absent for endpoints without a body. `required: false` makes it optional. */
  body?: { schema: TObject; required: boolean };
  answer: { status: 200 | 201; schema: TObject; description: string };
  /**
   * Error codes of the endpoint's own rules. Those of its schemas, of its kind of request and of every request are added where
   * they are listed (src/api/openapi/answer-codes.ts).
   */
  codes: readonly ErrorCode[];
}
