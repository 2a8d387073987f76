import { CommanderError } from 'commander';
import { OperatorError, Refusal } from '../../errors.ts';
import { UsageError } from './arguments.ts';
import { oneLine } from './terminal.ts';

/** Asks the mail server that runs a command to keep the e-mail and to try again. 75 is EX_TEMPFAIL of sysexits.h. */
export class TryAgainLater extends Error {}

export interface Failure {
  exitCode: 0 | 1 | 2 | 75;
  /** Null when the message was printed already. */
  message: string | null;
}

/** Returns one line for an error that the operator can fix, and a stack for an error of ours. */
export function explainFailure(error: unknown): Failure {
  // Commander prints its own line. It also throws for --help.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, message: null };
  if (error instanceof UsageError) return { exitCode: 2, message: oneLine(error.message) };
  if (error instanceof TryAgainLater) return { exitCode: 75, message: oneLine(error.message) };
  if (error instanceof Refusal || error instanceof OperatorError)
    return { exitCode: 1, message: oneLine(error.message) };
  if (!(error instanceof Error)) return { exitCode: 1, message: oneLine(String(error)) };

  const reason = outsideReason(error);
  if (reason !== null) return { exitCode: 1, message: oneLine(reason) };
  return { exitCode: 1, message: `a fault in Countersign: ${error.stack ?? error.message}` };
}

/** Returns the sentence for an error of the database, the network or the file system, else null. */
function outsideReason(error: Error): string | null {
  if (error.name === 'DatabaseFailure') return databaseReason(error.cause as Error);
  if (error.name === 'FileStoreError') return error.message;
  return hasOutsideCode(error) ? innermost(error) : null;
}

/** PostgreSQL's codes for: login refused, no such database, server starting, too many connections. */
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

/** Node's codes for programming errors, such as ERR_INVALID_ARG_TYPE. */
function hasOutsideCode(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && !code.startsWith('ERR_');
}

/** A host with several addresses fails with an AggregateError. Its own message is empty. */
function innermost(error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return first?.message ?? error.message;
}
