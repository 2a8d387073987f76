import { readFile } from 'node:fs/promises';
import { serveJobs } from '../world/pdf/process/serve-jobs.ts';
import type { Known } from './examine-file.ts';
import type { Extracted } from './extract-embedded.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Report } from './report.ts';

/** What the process that examines strangers' files does. `file` is the path of a file of bounded size. */
export type VerifyJob = { kind: 'fingerprint'; file: string } | ExamineJob;

export interface ExamineJob extends Known {
  kind: 'verify';
  file: string;
  /** The path of a directory for what is embedded. Null: it is not asked for. */
  extractTo: string | null;
}

export interface VerifyResult {
  fingerprint: Fingerprint[];
  verify: Verified;
}

export interface Verified {
  report: Report;
  extracted: Extracted[];
  /** Why not all that is embedded could be saved. Says nothing about the file. */
  notSaved: string | null;
  /** Over the bytes that the seal covers, as its signature names it, hex. Null: there is no legible seal. */
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
