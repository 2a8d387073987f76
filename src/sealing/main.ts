import { serveJobs } from '../pdf/process/serve-jobs.ts';
import type { Job, JobResult } from './jobs.ts';

/** Entry point of the process that draws and signs. */
serveJobs(run);

/** Runs a job. Libraries are imported here, so that the service receives errors from loading them. */
async function run(job: Job): Promise<JobResult[Job['kind']]> {
  switch (job.kind) {
    case 'seal': {
      const { sealPdf } = await import('./seal-pdf.ts');
      return sealPdf(job.input, { source: job.source, output: job.output }, job.certificate, job.tsaUrl);
    }
    case 'draw': {
      const { drawCertificatePdf } = await import('./completion/draw-pdf.ts');
      return drawCertificatePdf(job.input);
    }
    case 'renew': {
      const { renewSeal } = await import('./renew-seal.ts');
      return renewSeal(job, job.source, job.output);
    }
    case 'attest': {
      const { attestEntry } = await import('./attest-entry.ts');
      return attestEntry(job.hash, job.certificate, job.tsaUrl, job.now);
    }
    case 'check': {
      const { checkCertificate } = await import('../pdf/signatures/check-certificate.ts');
      return checkCertificate(job.certificate, job.now);
    }
    case 'certificate': {
      const { openSigner } = await import('../pdf/signatures/open-signer.ts');
      return (await openSigner(job.certificate, null)).certificate.raw;
    }
  }
}
