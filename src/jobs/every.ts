import type { Log } from '../platform/log.ts';

/**
 * Runs a sweep again and again, one at a time, `intervalMs` after the last one ended. A sweep finds its work in the
 * database, so a missed or failed run costs nothing but time. `stop` waits for the running one.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Log,
  sweep: () => Promise<unknown>,
): { stop(): Promise<void> } {
  let stopped = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;

  const run = () => {
    running = sweep()
      .then(() => undefined)
      .catch((error) => log.warn(`${name} failed and will run again`, { error }))
      .finally(() => {
        if (!stopped) timer = setTimeout(run, intervalMs).unref();
      });
  };
  run();

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
