import { constants } from 'node:os';

/**
 * Instead of ending at once on Ctrl-C, a closed terminal or SIGTERM, calls `end` with the exit code that tells of it. A
 * second signal does end the process. Returns what takes the handlers away.
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
