import type { ErrorType } from '../errors.ts';

/** Meaning of each error type, and what a client should do. */
export const typeAdvice: Record<ErrorType, string> = {
  authentication_error: 'The request has no valid key. Do not retry. Correct the key first.',
  permission_error:
    'The key is valid but may not do this, because of its scopes, its company or the plan. Do not retry.',
  validation_error: 'The request breaks a rule. Nothing was written. Correct what `param` names and send it again.',
  not_found:
    'Nothing was found for this key. The answer is the same for objects of another account and objects that do not exist.',
  rate_limit_error:
    'Too many requests. Nothing was done and nothing was spent. Wait the number of seconds in `Retry-After`.',
  idempotency_error: 'The request conflicts with another one that was sent earlier or is still running.',
  api_error:
    'The server failed, or (502) a service it depends on. Retry with growing pauses. Repeat a write with the same `Idempotency-Key`.',
};
