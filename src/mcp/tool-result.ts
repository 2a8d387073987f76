import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, ConnectionError, CountersignError } from '../../packages/client/src/index.ts';
import { visibleCopy, visibleJson } from '../platform/visible-text.ts';

/** An answer of the API. Invisible characters are escaped: text of strangers could hide instructions in them. */
export function resultOf(answer: object): CallToolResult {
  return { content: [textOf(answer)], structuredContent: visibleCopy({ ...answer }) };
}

export interface Failure {
  type: string;
  code: string;
  message: string;
  param: string | null;
  request_id: string | null;
  retry_after_seconds?: number;
  /** Given for a write that may have succeeded: a repetition with it doesn't write twice, for as long as the API remembers it. */
  idempotency_key?: string;
}

/** A failure that the assistant reads. */
export function failureResult(failure: Failure): CallToolResult {
  return { content: [textOf({ error: failure })], isError: true };
}

/** A refusal of this server, before the API was asked. */
export function refusalResult(code: string, message: string, param: string | null = null): CallToolResult {
  return failureResult({ type: 'validation_error', code, message, param, request_id: null });
}

/** Returns null for an error that is a fault of this server. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ApiError) {
    const { type, code, message, param, requestId: request_id, retryAfterSeconds } = error;
    return {
      ...{ type, code, message, param, request_id },
      ...(retryAfterSeconds !== null && { retry_after_seconds: retryAfterSeconds }),
      ...keyToRepeatWith(error),
    };
  }
  if (error instanceof CountersignError) {
    const code = error instanceof ConnectionError ? 'service_unreachable' : 'unexpected_answer';
    const { message } = error;
    return { type: 'connection_error', code, message, param: null, request_id: null, ...keyToRepeatWith(error) };
  }
  return null;
}

function keyToRepeatWith({ idempotencyKey, isOutcomeUnknown }: CountersignError): Pick<Failure, 'idempotency_key'> {
  return idempotencyKey !== null && isOutcomeUnknown ? { idempotency_key: idempotencyKey } : {};
}

function textOf(value: object) {
  return { type: 'text' as const, text: visibleJson(value) };
}
