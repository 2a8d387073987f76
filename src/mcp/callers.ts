import { createHash } from 'node:crypto';
import type { Countersign } from '../../packages/client/src/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Caller } from './caller.ts';

/** How long a key counts as known. The API checks it again on every call, so a revoked one reads and writes nothing. */
const knownMs = 60_000;
const callersMax = 1000;

interface Known {
  caller: Promise<Caller>;
  until: number;
}

export interface Callers {
  /** Throws the errors of the client, such as `AuthenticationError` for an unknown key. */
  find(key: string): Promise<Caller>;
}

/** Reads the account of a key, and remembers it for a minute. */
export function createCallers(clock: Clock, openClient: (key: string) => Countersign): Callers {
  const callers = new Map<string, Known>();

  async function find(key: string): Promise<Caller> {
    const id = idOf(key);
    const now = clock.now().getTime();
    const known = callers.get(id);
    if (known !== undefined && known.until > now) return known.caller;
    callers.delete(id);
    const caller = loadCaller(key, openClient(key));
    callers.set(id, { caller, until: now + knownMs });
    // The oldest comes first.
    for (const oldest of callers.keys()) if (callers.size > callersMax) callers.delete(oldest);
    caller.catch(() => callers.delete(id));
    return caller;
  }

  return { find };
}

export async function loadCaller(key: string, client: Countersign): Promise<Caller> {
  return { id: idOf(key), client, account: await client.account() };
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
