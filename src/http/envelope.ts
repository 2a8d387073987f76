import type { ApiError } from '../errors.ts';

/** The body of every error answer. */
export interface ErrorEnvelope {
  error: { type: string; code: string; message: string; param?: string; doc_url: string; request_id: string };
}

export function errorEnvelope(error: ApiError, requestId: string, docsUrl: string): ErrorEnvelope {
  return {
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      ...(error.param === undefined ? {} : { param: error.param }),
      doc_url: `${docsUrl}#${error.type}`,
      request_id: requestId,
    },
  };
}
