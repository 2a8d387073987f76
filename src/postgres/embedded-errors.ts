import { OperatorError } from '../errors.ts';

/** Thrown when another server process uses this DATA_DIR. */
export class ServerAlreadyRunning extends OperatorError {
  override name = 'ServerAlreadyRunning';
}

const meanings: Record<string, string> = {
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not read and write it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  ENOENT: 'it cannot be created',
  ENOTDIR: 'it is not a directory',
  EEXIST: 'it is not a directory',
};

/** Turns an error that an operator can fix into an `OperatorError`. Returns other errors unchanged. */
export function explainDataDirError(error: unknown, dataDir: string): unknown {
  const meaning = meanings[(error as NodeJS.ErrnoException).code ?? ''];
  if (error instanceof OperatorError || meaning === undefined) return error;
  return new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${meaning}`, { cause: error });
}
