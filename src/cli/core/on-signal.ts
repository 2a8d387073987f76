import { constants } from 'node:os';

/**
 * On Ctrl-C, a closed terminal or SIGTERM, calls `end` with the matching exit code instead of ending at once. A second signal
 * ends the process. Returns a function that removes the handlers.
 */
export function onSignal(end: (exitCode: number) => void): () => void {
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = () => end(128 + constants.signals[signal]);
    process.once(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
