import { pino, stdSerializers } from 'pino';
import type { LogLevel } from '../config.ts';
import { currentLogContext } from './log-context.ts';

/** Fields of one line. Fields of the log context, such as `request_id` and `account_id`, are added automatically. */
export type LogFields = Record<string, unknown>;

/** Writes JSON lines to stderr with pino. Callers never pass a key, token, secret, link or contact detail. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Second line of defence: fields of these names are redacted at the top level and one level below. */
const redactedFields = [
  'access_token',
  'api_key',
  'authorization',
  'cookie',
  'email',
  'key',
  'link',
  'links',
  'password',
  'phone',
  'refresh_token',
  'secret',
  'token',
  'url',
];

/**
 * Creates a log. `write` gets each complete line. It is synchronous, so that the last lines of an ending process are
 * not lost.
 */
export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: describeErrors },
      mixin: currentLogContext,
      redact: { paths: redactedFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    { write },
  );
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}) =>
      logger[name](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Converts errors, which have no enumerable properties and would print as `{}`. */
function describeErrors(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? describe(value) : value]),
  );
}

function describe(error: Error): LogFields {
  const { type, stack, code } = stdSerializers.err(error) as { code?: unknown } & Record<string, unknown>;
  return { name: type, message: describeCauses(error), code, stack };
}

/** Returns the message with those of its causes, each said once. */
function describeCauses(error: Error): string {
  const messages: string[] = [];
  const seen = new Set<unknown>();
  for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    const { message } = cause;
    if (!messages.some((known) => known.includes(message))) messages.push(message);
  }
  return messages.join(': ');
}
