import { constants } from 'node:os';

/**
 * Runs `cleanUp` before Ctrl-C, a closed terminal or SIGTERM ends the process: what it started or half wrote would
 * stay behind. Returns what takes the handlers away.
 */
export function onSignal(cleanUp: () => Promise<unknown>): () => void {
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = () => {
      cleanUp()
        .catch(() => {})
        .finally(() => process.exit(128 + constants.signals[signal]));
    };
    process.once(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
