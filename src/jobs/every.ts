import type { Log } from '../platform/log.ts';

/**
 * Runs a sweep again and again, one at a time, `intervalMs` after the last one ended. The first run begins when `turn` has
 * settled, and ends with `ranOnce`. A sweep finds its work in the database, so a missed or failed run costs nothing but time.
 * `stop` waits for the running one, which gets the signal and may end by throwing its reason.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Log,
  sweep: (stopping: AbortSignal) => Promise<unknown>,
  turn: Promise<unknown> = Promise.resolve(),
): { stop(): Promise<void>; ranOnce: Promise<void> } {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;

  const run = () => {
    if (stopping.signal.aborted) return running;
    running = Promise.resolve(stopping.signal)
      .then(sweep)
      .then(() => undefined)
      .catch((error) => {
        const isStopped = stopping.signal.aborted && error === stopping.signal.reason;
        if (!isStopped) log.warn(`${name} failed and will run again`, { error });
      })
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(run, intervalMs).unref();
      });
    return running;
  };
  const ranOnce = turn.then(run);

  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return running;
    },
    ranOnce,
  };
}
