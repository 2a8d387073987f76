/** Errors of a write often have no path. Reading a request uses none of these system calls. */
const diskCalls = new Set(['open', 'write', 'close']);
/** A socket that is written to can also fail. */
const socketFaults = new Set(['EPIPE', 'ECONNRESET']);

/** Whether the disk failed while a request was saved, which is not the client's fault. */
export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { path, syscall = '', code = '' } = error as NodeJS.ErrnoException;
  return typeof path === 'string' || (diskCalls.has(syscall) && !socketFaults.has(code));
}
