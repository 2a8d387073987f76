import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createPdfReader } from '../../src/pdf/pdf-reader.ts';
import { readCertificatesUsed } from '../../src/pdf/signatures/certificates-used.ts';
import { ensureSigningCertificate } from '../../src/pdf/signatures/signing-certificate.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createPdfWorker } from '../../src/sealing/pdf-worker.ts';
import type { SealField } from '../../src/sealing/seal-input.ts';
import { sampleInput } from '../../src/sealing/testing/sample-input.ts';
import { createVerifier } from '../../src/verify/create-verifier.ts';
import { compare, pagePixels } from './page-pixels.ts';
import { withTrail } from './sample-trail.ts';
import { type Outcome, writeOutcomes } from './write-outcomes.ts';

/**
 * `npm run corpus -- DIRECTORY` attaches, shows, signs, seals and verifies every PDF of a directory, each step as the
 * service does it, with fields and without, and checks the results with pdfsig and qpdf. Writes docs/corpus.md. The table
 * there is about the files of pdf.js (github.com/mozilla/pdf.js, test/pdfs), which no npm package contains.
 */
const directory = process.argv[2];
if (directory === undefined) {
  console.error('usage: npm run corpus -- DIRECTORY [REPORT.md]');
  process.exit(2);
}
const report = process.argv[3] ?? resolve(import.meta.dirname, '../../docs/corpus.md');

const work = mkdtempSync(join(tmpdir(), 'countersign-corpus-'));
const log = createLog('silent');
const clock = { now: () => new Date('2026-03-14T12:00:00Z') };
const certificatesDir = join(work, 'certificates');
const certificate = await ensureSigningCertificate({ dataDir: work, password: 'corpus', clock, random: systemRandom });
const limits = { processes: 1, timeoutMs: 60_000, memoryMaxBytes: 1536 * 2 ** 20 };
const worker = createPdfWorker({ certificate, certificatesDir, tsaUrl: null, log, clock, ...limits });
const reader = createPdfReader({ log });
const verifier = createVerifier({
  certificates: () => readCertificatesUsed(certificatesDir),
  sealedFiles: null,
  anchors: [],
  log,
});

try {
  const outcomes: Outcome[] = [];
  for (const name of readdirSync(directory)
    .filter((file) => file.toLowerCase().endsWith('.pdf'))
    .sort()) {
    const outcome = await through(name, join(directory, name)).catch((error: Error) => ({
      name,
      kind: 'failed' as const,
      why: error.message.slice(0, 120),
    }));
    outcomes.push(outcome);
    if (outcomes.length % 100 === 0) console.log(`${outcomes.length} files`);
  }
  writeOutcomes(report, outcomes);
} finally {
  await Promise.all([worker.close(), reader.close(), verifier.close()]);
  rmSync(work, { recursive: true, force: true });
}

/** Attaches, shows, signs, seals and verifies one file. */
async function through(name: string, source: string): Promise<Outcome> {
  const inspected = await reader.inspect(source, '');
  if (!inspected.ok) return { name, kind: 'refused', why: inspected.reason };
  const { pages } = inspected;
  const shown = await reader.renderPage(source, 1, 600, '').then(
    () => true,
    () => false,
  );
  const fields = fieldsOn(pages[0] ?? { width: 612, height: 792 });
  const { manner, problems, output } = await sealed(name, source, pages.length, fields);
  if (manner !== 'enclosed') problems.push(...pageProblems(source, output, fields));
  const empty = await sealed(name, source, pages.length, []);
  const without = empty.problems.map((problem) => `${problem} when nothing is filled in`);
  return {
    name,
    kind: 'sealed',
    manner,
    problems: [...(shown ? [] : ['page 1 cannot be shown']), ...problems, ...without],
  };
}

async function sealed(name: string, source: string, pageCount: number, fields: SealField[]) {
  const sha256 = createHash('sha256').update(readFileSync(source)).digest('hex');
  const output = join(work, 'sealed.pdf');
  await worker.seal(withTrail({ ...sampleInput(), fields }, { name, sha256, pageCount }), { source, output });
  const verified = await verifier.examine(output);
  const problems = [
    ...(verified.verdict === 'valid' ? [] : [`verify says ${verified.verdict}`]),
    ...(sealIsValid(output) ? [] : ['pdfsig does not call the seal valid']),
    ...(isSound(output) || !isSound(source) ? [] : ['qpdf finds errors that the file did not have']),
  ];
  return { manner: verified.document?.file?.manner ?? 'unknown', problems, output };
}

/** Returns a signature field and a text field near the upper left corner of a page of any size. */
function fieldsOn({ width, height }: { width: number; height: number }): SealField[] {
  const recipientId = sampleInput().recipients[0]?.id ?? '';
  const [w, h] = [Math.min(160, width * 0.5), Math.min(28, height * 0.2)];
  const place = { recipientId, page: 1, x: width * 0.1, width: w, height: h, label: null };
  return [
    { ...place, type: 'signature', y: height * 0.1, value: 'true' },
    { ...place, type: 'text', y: height * 0.1 + h * 1.5, value: 'Blue' },
  ];
}

/** Checks that the values are visible and that nothing else on the page changed. */
function pageProblems(source: string, output: string, fields: SealField[]): string[] {
  const before = pagePixels(source, 1, work);
  const after = pagePixels(output, 1, work);
  if (before === null || after === null) return before === null ? [] : ['poppler cannot show page 1 any more'];
  const { inside, outside } = compare(before, after, fields);
  return [
    ...(inside > 0 ? [] : ['what was filled in is not seen']),
    ...(outside === 0 ? [] : [`${outside} points of page 1 look different`]),
  ];
}

function sealIsValid(pdf: string): boolean {
  const seals = printed('pdfsig', pdf)
    .split(/^Signature #/m)
    .slice(1);
  return seals.some((seal) => seal.includes('Total document signed') && seal.includes('Signature is Valid'));
}

function isSound(pdf: string): boolean {
  return printed('qpdf', '--check', pdf).includes('No syntax or stream encoding errors found');
}

function printed(command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? '');
  }
}
