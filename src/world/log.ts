import { pino, stdSerializers } from 'pino';
import type { LogLevel } from '../config.ts';
import { currentLogContext } from './log-context.ts';

/** Fields of one line. Those of the log context, such as `request_id` and `account_id`, come by themselves. */
export type LogFields = Record<string, unknown>;

/** JSON lines on stderr, written by pino. No key, token, secret, link or contact detail is ever passed to it. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A second line of defence: fields of these names are never written, at the top level or one below. */
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

/** `write` gets each whole line. Writing is synchronous, so that the last words of a process that ends are not lost. */
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

/** An Error has no enumerable properties, so JSON would print `{}` where the reason belongs. */
function describeErrors(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? describe(value) : value]),
  );
}

function describe(error: Error): LogFields {
  const { type, message, stack, code } = stdSerializers.err(error) as { code?: unknown } & Record<string, unknown>;
  return { name: type, message, code, stack };
}
