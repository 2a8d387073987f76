import type { JobAnswer, ProcessMessage, SignatureReply } from './messages.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * Makes this process one of a pool: it does a job at a time in memory of its own, so that whatever a document does to
 * it, the service lives on. Ends with the service: at once when idle, by the watchdog while it computes.
 */
export function serveJobs<Job>(run: (job: Job) => Promise<unknown>): void {
  const parentPid = Number(process.argv[2]);
  if (process.ppid !== parentPid) process.exit(); // it ended before the system could be asked to end this one, too
  // Where threads are forbidden, the system ends this process with its parent.
  if (process.permission === undefined || process.permission.has('worker')) startWatchdog(parentPid);
  process.on('disconnect', () => process.exit());
  process.on('message', async (job: Job | SignatureReply) => {
    if (isReply(job)) return; // for the job that asked
    say({ kind: 'accepted' });
    say({ kind: 'answer', ...(await answer(() => run(job))) });
  });
}

function isReply(message: unknown): message is SignatureReply {
  return (message as { kind?: unknown }).kind === 'signature';
}

function say(message: ProcessMessage): void {
  process.send?.(message);
}

async function answer(work: () => Promise<unknown>): Promise<JobAnswer> {
  try {
    return { ok: true, result: await work() };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { ok: false, name, message };
  }
}
