import { Worker } from 'node:worker_threads';

/**
 * Kills this process soon after its parent is gone, even while it computes: the event loop would not hear of the
 * disconnect before the job ends. A thread of plain JavaScript, since a module of ours would cost it twice the memory.
 */
export function startWatchdog(parentPid: number): void {
  const watch = `setInterval(() => { if (process.ppid !== ${parentPid}) process.kill(process.pid, 'SIGKILL'); }, 500)`;
  new Worker(watch, { eval: true }).unref();
}
