import { CommanderError } from 'commander';
import { OperatorError, Refusal } from '../errors.ts';
import { UsageError } from './arguments.ts';
import { oneLine } from './terminal.ts';

export interface Failure {
  exitCode: 0 | 1 | 2;
  /** Null: it was said already. */
  message: string | null;
}

/** What the operator can mend is one line; a fault of ours comes with where it happened. */
export function explainFailure(error: unknown): Failure {
  // Commander throws for --help too, and prints its own line.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, message: null };
  if (error instanceof UsageError) return { exitCode: 2, message: oneLine(error.message) };
  if (error instanceof Refusal || error instanceof OperatorError)
    return { exitCode: 1, message: oneLine(error.message) };
  if (!(error instanceof Error)) return { exitCode: 1, message: oneLine(String(error)) };

  const reason = outsideReason(error);
  if (reason !== null) return { exitCode: 1, message: oneLine(reason) };
  return { exitCode: 1, message: `a fault in Countersign: ${error.stack ?? error.message}` };
}

/** The sentence of an error that comes from the database, the network or the file system, or null. */
function outsideReason(error: Error): string | null {
  if (error.name === 'DatabaseFailure') return databaseReason(error.cause as Error);
  if (error.name === 'FileStoreError') return error.message;
  return hasOutsideCode(error) ? innermost(error) : null;
}

/** PostgreSQL's codes for a refused login, an absent database, and a server that starts or is full. */
const noAccess = /^(28...|3D000|57P03|53300)$/;

function databaseReason(cause: Error): string {
  const { code } = cause as { code?: unknown };
  const isUnreachable =
    typeof code === 'string'
      ? code.startsWith('E') || noAccess.test(code)
      : /timeout|terminated|SASL|SSL/i.test(cause.message);
  return isUnreachable
    ? `the database cannot be reached (${innermost(cause)}): is DATABASE_URL right, and does the server run?`
    : `the database refused: ${innermost(cause)}`;
}

/** Codes such as ERR_INVALID_ARG_TYPE are Node's for a mistake in a program. */
function hasOutsideCode(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && !code.startsWith('ERR_');
}

/** A name with several addresses fails with one error for all of them, whose own message is empty. */
function innermost(error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return first?.message ?? error.message;
}
