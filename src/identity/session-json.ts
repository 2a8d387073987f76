import { browserName } from './browser-name.ts';
import type { Session } from './sessions.ts';

/** A session as the console and the command line list it. `browser`: null when it is not a known one. */
export function sessionJson({ id, method, ip, user_agent, signed_in_at, last_seen_at, expires_at }: Session) {
  return { id, browser: browserName(user_agent), ip, method, signed_in_at, last_seen_at, expires_at };
}
