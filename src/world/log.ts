import type { LogLevel } from '../config.ts';

/** JSON lines on stderr. No key, token, secret, link or contact detail is ever passed to it (contract.md). */
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const severity: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 };

export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}) => {
      if (severity[name] < severity[level]) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...describeErrors(fields) })}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An Error has no enumerable properties, so JSON would print `{}` where the reason belongs. */
function describeErrors(fields: LogFields): LogFields {
  const described: LogFields = {};
  for (const [name, value] of Object.entries(fields)) {
    described[name] =
      value instanceof Error
        ? { name: value.name, message: value.message, code: (value as { code?: unknown }).code, stack: value.stack }
        : value;
  }
  return described;
}
