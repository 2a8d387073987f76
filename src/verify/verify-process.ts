import { readFile } from 'node:fs/promises';
import { serveJobs } from '../pdf/process/serve-jobs.ts';
import type { Known } from './examine-file.ts';
import type { Extracted } from './extract-embedded.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Report } from './report.ts';

/** Jobs of the process that examines strangers' files. `file` is a path. The caller limits the file's size. */
export type VerifyJob = { kind: 'fingerprint'; file: string } | ExamineJob;

export interface ExamineJob extends Known {
  kind: 'verify';
  file: string;
  /** Path of the directory for the embedded files. Null to extract nothing. */
  extractTo: string | null;
}

export interface VerifyResult {
  fingerprint: Fingerprint[];
  verify: Verified;
}

export interface Verified {
  report: Report;
  extracted: Extracted[];
  /** Why the embedded files could not be saved. Says nothing about the file itself. */
  notSaved: string | null;
  /** As in `Examined`. */
  signedDigest: string | null;
}

serveJobs(async (job: VerifyJob): Promise<VerifyResult[VerifyJob['kind']]> => {
  if (job.kind === 'verify') return examine(job);
  const { fingerprintsOf } = await import('./fingerprint.ts');
  return fingerprintsOf(await readFile(job.file));
});

async function examine({ file, extractTo, ...known }: ExamineJob): Promise<Verified> {
  const { examineFile } = await import('./examine-file.ts');
  const { extractEmbedded } = await import('./extract-embedded.ts');
  const examined = await examineFile(await readFile(file), known);
  const { report, signedDigest } = examined;
  if (extractTo === null) return { report, extracted: [], notSaved: null, signedDigest };
  try {
    const extracted = await extractEmbedded(examined, extractTo);
    return { report, extracted, notSaved: null, signedDigest };
  } catch (error) {
    return { report, extracted: [], notSaved: (error as Error).message, signedDigest };
  }
}
