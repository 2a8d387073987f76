import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields that every line gets which is logged while a request is served or a job runs. */
export interface LogContext {
  request_id?: string;
  account_id?: string;
  job_id?: string;
  job?: string;
}

const storage = new AsyncLocalStorage<{ fields: LogContext | null }>();

/** A context to be entered with `run`, also from callbacks that lost it, until `end`: connections and timers outlive a request. */
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

/** Adds what only becomes known on the way, such as the account that a key belongs to. Does nothing outside of a context. */
export function addLogContext(fields: LogContext): void {
  const entry = storage.getStore();
  if (entry?.fields) Object.assign(entry.fields, fields);
}

export function currentLogContext(): LogContext {
  return { ...storage.getStore()?.fields };
}
