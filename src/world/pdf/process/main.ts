import type { Job, JobResult } from './messages.ts';
import { serveJobs } from './serve-jobs.ts';

/** The process that draws and signs. */
serveJobs(run);

/** The libraries load with the first job, where a failure to load them reaches the service as its error. */
async function run(job: Job): Promise<JobResult[Job['kind']]> {
  switch (job.kind) {
    case 'seal': {
      const { sealPdf } = await import('../seal-pdf.ts');
      return sealPdf(job.input, { source: job.source, output: job.output }, job.certificate, job.tsaUrl);
    }
    case 'check': {
      const { checkCertificate } = await import('../check-certificate.ts');
      return checkCertificate(job.certificate, job.now);
    }
    case 'certificate': {
      const { openSigner } = await import('../open-signer.ts');
      return (await openSigner(job.certificate, null)).certificate.raw;
    }
  }
}
