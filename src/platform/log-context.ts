import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every line logged during a request or job. */
export interface LogContext {
  request_id?: string;
  account_id?: string;
  job_id?: string;
  job?: string;
}

const storage = new AsyncLocalStorage<{ fields: LogContext | null }>();

/**
 * A context that can be entered with `run` until `end`, also from callbacks that lost it. Connections and timers
 * outlive a request.
 */
export interface OpenLogContext {
  run<Result>(work: () => Result): Result;
  end(): void;
}

export function openLogContext(fields: LogContext): OpenLogContext {
  const entry: { fields: LogContext | null } = { fields: { ...fields } };
  return {
    run: (work) => storage.run(entry, work),
    end() {
      entry.fields = null;
    },
  };
}

/** Adds fields that become known later, such as the account of an API key. Does nothing outside a context. */
export function addLogContext(fields: LogContext): void {
  const entry = storage.getStore();
  if (entry?.fields) Object.assign(entry.fields, fields);
}

export function currentLogContext(): LogContext {
  return { ...storage.getStore()?.fields };
}
