import { setTimeout as sleep } from 'node:timers/promises';
import { attach, detach, type Use } from './embedded-attach.ts';
import type { Control } from './embedded-control.ts';
import { stopPostmaster } from './embedded-postmaster.ts';

const firstPauseMs = 100;
const pauseMsMax = 5000;

/**
 * Keeps a server's database running. When the control connection breaks, because the database server died or recovers,
 * it attaches again and starts the database if needed. Returns a function that ends this.
 */
export function keepRunning(use: Use, first: Control): () => Promise<void> {
  const ending = new AbortController();
  const supervision = supervise(use, first, ending.signal);

  return async () => {
    ending.abort();
    const control = await supervision;
    if (control !== null) return detach(use, control, 'server');
    await stopPostmaster(use.cluster);
  };
}

/** Runs until `ending`. Returns the control connection of that moment, or null. */
async function supervise(use: Use, first: Control, ending: AbortSignal): Promise<Control | null> {
  const ended = new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve(), { once: true }));
  let control: Control | null = first;
  while (control !== null) {
    await Promise.race([control.lost, ended]);
    if (ending.aborted) return control;
    use.log.warn('embedded database lost');
    control = await reattach(use, ending);
  }
  return null;
}

/** Attaches again. Null if `ending` was aborted meanwhile. */
async function reattach(use: Use, ending: AbortSignal): Promise<Control | null> {
  for (let pauseMs = firstPauseMs; !ending.aborted; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    try {
      const control = await attach(use, ending);
      const first = await control.claimServer();
      if (!first) use.log.error('another server has started on this DATA_DIR');
      use.log.info('embedded database available again');
      return control;
    } catch (error) {
      if (ending.aborted) break;
      use.log.error('the embedded database could not be started', { error });
      await sleep(pauseMs, undefined, { signal: ending }).catch(() => {});
    }
  }
  return null;
}
