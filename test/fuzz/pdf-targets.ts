import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPdfReader } from '../../src/pdf/pdf-reader.ts';
import { PdfWorkerError } from '../../src/pdf/process/pdf-worker-error.ts';
import { readCertificatesUsed } from '../../src/pdf/signatures/certificates-used.ts';
import { ensureSigningCertificate } from '../../src/pdf/signatures/signing-certificate.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { ChangedPageError } from '../../src/sealing/attached/changed-page-error.ts';
import { createPdfWorker } from '../../src/sealing/pdf-worker.ts';
import { inputFor, sampleFile, signedFile } from '../../src/sealing/testing/sample-files.ts';
import { createUnlocker } from '../../src/unlock/convert/create-unlocker.ts';
import { createVerifier } from '../../src/verify/create-verifier.ts';
import { assertSo, refusingBy, type Target } from './target.ts';

const dictionary = [
  ...[
    'obj',
    'endobj',
    'stream\n',
    '\nendstream',
    'xref',
    'trailer',
    'startxref',
    '%%EOF',
    '1 0 R',
    '99 0 R',
    '<<',
    '>>',
  ],
  ...[
    '/Type',
    '/Pages',
    '/Kids',
    '/Count',
    '/Parent',
    '/Length',
    '/Filter',
    '/FlateDecode',
    '/DecodeParms',
    '/Predictor',
  ],
  ...['/ObjStm', '/XRef', '/Prev', '/XRefStm', '/Encrypt', '/ByteRange', '/Contents', '/Sig', '/AcroForm', '/Annots'],
  ...['/EmbeddedFiles', '/Names', '/MediaBox', '/Rotate', '/UserUnit', '/OCProperties', '/AA', '/OpenAction', '/XFA'],
];

/** One input may take as long as its process, plus the time to start it. */
const timeoutMs = 15_000;
const msMax = timeoutMs + 10_000;
const limits = { timeoutMs, memoryMaxBytes: 768 * 2 ** 20 };

export interface PdfTargets {
  targets: Target[];
  close(): Promise<void>;
}

/** The jobs of the PDF processes, each in the pool that the service uses. */
export async function openPdfTargets(): Promise<PdfTargets> {
  const work = mkdtempSync(join(tmpdir(), 'countersign-fuzz-'));
  const log = createLog('silent');
  const clock = { now: () => new Date('2026-03-14T12:00:00Z') };
  const certificatesDir = join(work, 'certificates');
  const certificate = await ensureSigningCertificate({ dataDir: work, password: 'fuzz', clock, random: systemRandom });
  const worker = createPdfWorker({ certificate, certificatesDir, tsaUrl: null, processes: 1, log, clock, ...limits });
  const reader = createPdfReader({ log, inspectMs: timeoutMs, pageMs: timeoutMs });
  const certificates = () => readCertificatesUsed(certificatesDir);
  const verifier = createVerifier({ certificates, sealedFiles: null, anchors: [], log, ...limits });
  const unlocker = createUnlocker({ log, ...limits });

  let files = 0;
  const used: string[] = [];
  const path = (bytes?: Uint8Array) => {
    const file = join(work, `${++files}`);
    if (bytes !== undefined) writeFileSync(file, bytes);
    used.push(file);
    return file;
  };
  const seal = async (bytes: Buffer, pageCount: number) => {
    const output = path();
    await worker.seal(inputFor(bytes, pageCount, [{}]), { source: path(bytes), output });
    return output;
  };
  const inspected = async (bytes: Buffer, work: (file: string, pages: number) => Promise<unknown>) => {
    const file = path(bytes);
    const found = await reader.inspect(file, '');
    if (found.ok) await work(file, found.pages.length);
  };
  const plain = await sampleFile();
  const sealed = readFileSync(await seal(plain, 2));
  const seeds = [plain, await signedFile(plain), sealed];
  const target = (name: string, run: (bytes: Buffer) => Promise<unknown>): Target => ({
    ...{ name, seeds, dictionary, msMax },
    run: async (bytes) => {
      await refusingBy([PdfWorkerError, ChangedPageError], () => run(bytes));
      for (const file of used.splice(0)) rmSync(file, { force: true });
    },
  });

  return {
    targets: [
      target('pdf-pages', (bytes) =>
        inspected(bytes, async (file) => {
          await reader.renderPage(file, 1, 300, '');
          await reader.pageText(file, 1, '');
          await reader.formFields(file, '');
        }),
      ),
      target('pdf-seal', (bytes) => inspected(bytes, (_file, pages) => seal(bytes, pages))),
      target('pdf-verify', async (bytes) => {
        const report = await verifier.examine(path(bytes));
        assertSo(report.findings.length > 0, 'every file gets findings');
        assertSo(report.verdict !== 'valid' || bytes.includes(sealed), 'only the sealed file is valid');
      }),
      target('pdf-unlock', (bytes) =>
        inspected(bytes, (file, pages) => unlocker.convert({ source: file, output: path(), pages })),
      ),
    ],
    async close() {
      await Promise.all([worker.close(), reader.close(), verifier.close(), unlocker.close()]);
      rmSync(work, { recursive: true, force: true });
    },
  };
}
