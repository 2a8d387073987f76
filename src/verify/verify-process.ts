import { readFile } from 'node:fs/promises';
import { serveJobs } from '../world/pdf/process/serve-jobs.ts';
import type { Extracted } from './extract-embedded.ts';
import type { Report } from './report.ts';

/** What is asked of the process that examines strangers' files. */
export interface VerifyJob {
  kind: 'verify';
  /** The path of a file of bounded size. */
  file: string;
  /** Those that a seal of this service bears, DER. */
  certificates: Uint8Array[];
  /** The path of a directory for what is embedded. Null: it is not asked for. */
  extractTo: string | null;
}

export interface Verified {
  report: Report;
  extracted: Extracted[];
  /** Why not all that is embedded could be saved. Says nothing about the file. */
  notSaved: string | null;
}

serveJobs(async ({ file, certificates, extractTo }: VerifyJob): Promise<Verified> => {
  const { examineFile } = await import('./examine-file.ts');
  const { extractEmbedded } = await import('./extract-embedded.ts');
  const examined = await examineFile(await readFile(file), certificates);
  const { report } = examined;
  if (extractTo === null) return { report, extracted: [], notSaved: null };
  try {
    return { report, extracted: await extractEmbedded(examined, extractTo), notSaved: null };
  } catch (error) {
    return { report, extracted: [], notSaved: (error as Error).message };
  }
});
