import { readFile } from 'node:fs/promises';
import { serveJobs } from '../world/pdf/process/serve-jobs.ts';
import type { Report } from './report.ts';

/** What is asked of the process that examines strangers' files. */
export interface VerifyJob {
  kind: 'verify';
  /** The path of a file of bounded size. */
  file: string;
  /** Those that a seal of this service bears, DER. */
  certificates: Uint8Array[];
}

serveJobs(async ({ file, certificates }: VerifyJob): Promise<Report> => {
  const { examineFile } = await import('./examine-file.ts');
  return examineFile(await readFile(file), certificates);
});
