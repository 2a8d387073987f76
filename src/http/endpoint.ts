import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/**
 * The part of an endpoint's declaration that HTTP needs: the pipeline, the OpenAPI document and the scope tests are
 * read from the same table. `Handler` is what the feature adds.
 */
export interface EndpointDeclaration {
  method: 'GET' | 'POST';
  /** Below `/api/v1`, with `:id` for a path parameter. */
  path: string;
  summary: string;
  description: string;
  /** Query parameters by name, each a schema whose `x-error-code` is answered when it does not hold. */
  query?: Record<string, TSchema>;
  /** The JSON body. Absent for endpoints without one; `required: false` lets a client send none. */
  body?: { schema: TObject; required: boolean };
  answer: { status: 200 | 201; schema: TObject; description: string };
  /** Every code of its own; the common ones (401, 403, 429, 500 of any endpoint) are added by the OpenAPI document. */
  codes: readonly ErrorCode[];
}
