import type { LoggedRequest } from './read-request-log.ts';

/** A request of the log as the console and the command line show it. */
export function requestJson({
  id,
  at_ms,
  request_id,
  method,
  path,
  status,
  code,
  duration_us,
  replay_of,
  key_hint,
  key_name,
}: LoggedRequest) {
  return {
    id,
    at: new Date(at_ms).toISOString(),
    request_id,
    method,
    path,
    status,
    code,
    duration_ms: duration_us / 1000,
    replay_of,
    key: { hint: key_hint, name: key_name },
  };
}
