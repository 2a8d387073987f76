import { ApiFailure } from '../api/client.ts';
import { count } from '../language.ts';
import { uiText } from './texts.ts';

/** Shows an error and what to do about it, or nothing without an error. `failures`: own messages, by code. */
export function Problem({
  of,
  failures = {},
  className = '',
}: {
  of: unknown;
  failures?: Record<string, string> | undefined;
  className?: string;
}) {
  return (
    <div role="alert" className={of === null || of === undefined ? 'hidden' : className}>
      {of !== null && of !== undefined && (
        <p className="rounded-lg bg-bad-wash px-3.5 py-2.5 font-medium text-bad">{explain(of, failures)}</p>
      )}
    </div>
  );
}

export function explain(failure: unknown, failures: Record<string, string> = {}): string {
  if (!(failure instanceof ApiFailure)) return uiText.failures.failed as string;
  if (failure.code === 'too_many_tries') {
    return count(Math.max(1, Math.ceil(failure.retryAfterSeconds / 60)), uiText.tooManyTries);
  }
  const known = failures[`${failure.code}:${failure.param}`] ?? failures[failure.code] ?? uiText.failures[failure.code];
  return known ?? (failure.message || (uiText.failures.failed as string));
}
