import type { ErrorType } from '../errors.ts';

/** What each family of errors means and what a client does about it. */
export const typeAdvice: Record<ErrorType, string> = {
  authentication_error: 'The request could not be tied to a key. Do not retry it: repair the key first.',
  permission_error:
    'The key is good but may not do this, because of its scopes, its company or the plan. Do not retry.',
  validation_error: 'The request breaks a rule. Nothing was written. Correct what `param` names and send it again.',
  not_found:
    'There is nothing there for this key. What belongs to another account looks the same as what does not exist.',
  rate_limit_error:
    'Too many requests. Nothing was done and nothing was spent. Wait as many seconds as `Retry-After` says.',
  idempotency_error: 'The request clashes with another that was sent earlier or is still running.',
  api_error:
    'The server failed, or with 502 something it depends on. Retry with growing pauses; a write with the same `Idempotency-Key`.',
};
