/**
 * A PDF process: draws and signs in memory of its own, so that whatever a document does to it, the service lives on.
 * Ends with the service: at once when idle, by the watchdog while it computes.
 */
import type { Job, JobAnswer, JobResult, ProcessMessage } from './messages.ts';
import { startWatchdog } from './watchdog.ts';

startWatchdog(Number(process.argv[2]));
process.on('disconnect', () => process.exit());
process.on('message', async (job: Job) => {
  say({ kind: 'accepted' });
  say({ kind: 'answer', ...(await answer(job)) });
});

function say(message: ProcessMessage): void {
  process.send?.(message);
}

async function answer(job: Job): Promise<JobAnswer> {
  try {
    return { ok: true, result: await run(job) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { ok: false, name, message };
  }
}

/** The libraries load with the first job, where a failure to load them reaches the service as its error. */
async function run(job: Job): Promise<JobResult[keyof JobResult]> {
  if (job.kind === 'check') {
    const { checkCertificate } = await import('../check-certificate.ts');
    return checkCertificate(job.certificate, job.now);
  }
  const { sealPdf } = await import('../seal-pdf.ts');
  return sealPdf(job.input, job.certificate, job.tsaUrl);
}
