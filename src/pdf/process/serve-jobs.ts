import type { JobAnswer, ProcessMessage, SignatureReply } from './messages.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * Runs jobs for the service, one at a time. A hostile document can only crash this process, not the service. The process
 * ends with the service: immediately when idle, or by the watchdog during a job.
 */
export function serveJobs<Job>(run: (job: Job) => Promise<unknown>): void {
  const parentPid = Number(process.argv[2]);
  if (process.ppid !== parentPid) process.exit(); // the parent has already ended
  // Without threads, setpriv makes the system end this process with its parent.
  if (process.permission === undefined || process.permission.has('worker')) startWatchdog(parentPid);
  process.on('disconnect', () => process.exit());
  process.on('message', async (job: Job | SignatureReply) => {
    if (isReply(job)) return; // handled by the job that requested it
    send({ kind: 'accepted' });
    send({ kind: 'answer', ...(await answer(() => run(job))) });
  });
}

function isReply(message: unknown): message is SignatureReply {
  return (message as { kind?: unknown }).kind === 'signature';
}

function send(message: ProcessMessage): void {
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
