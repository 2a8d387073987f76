import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSigningCertificate } from '../src/pdf/signatures/signing-certificate.ts';
import { systemRandom } from '../src/platform/random.ts';
import { firstChangedPage, type PageParts } from '../src/sealing/attached/first-changed-page.ts';
import { sealPdf } from '../src/sealing/seal-pdf.ts';
import { imageFile, inputFor, sampleFile } from '../src/sealing/testing/sample-files.ts';

/**
 * `npm run bench`: the cost of comparing pages, as a ratio of CPU times in one run: a whole seal, and the same seal
 * without its comparison.
 */
const ratioMax = 1.5;
const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-compare-'));
const clock = { now: () => new Date('2026-03-14T12:00:00Z') };
const { file, password } = await ensureSigningCertificate({
  dataDir: directory,
  password: 'bench',
  clock,
  random: systemRandom,
});
const certificate = { bytes: readFileSync(file), password };
const files = { source: join(directory, 'source.pdf'), output: join(directory, 'sealed.pdf') };

try {
  await ratio('5 pages', await sampleFile(5), 5, 15);
  await ratio('5,000 pages', await sampleFile(5000), 5000, 3);
  await ratio('100 MB of pictures', imageFile(50, 100), 50, 3);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Three fields, on the first and the fifth page. The first seal of a process is not counted. */
async function ratio(what: string, pdf: Buffer, pageCount: number, rounds: number): Promise<void> {
  const input = inputFor(pdf, pageCount, [
    { type: 'signature', value: 'true', page: 5, y: 600 },
    { type: 'text', value: 'Blue door', page: 1 },
    { type: 'date', value: '2026-03-14', page: 5, y: 650 },
  ]);
  const parts = Array.from({ length: pageCount }, (_, index): PageParts => {
    return index === 0 || index === 4 ? { contents: 1, annotations: 0 } : null;
  });
  writeFileSync(files.source, pdf);
  let [whole, compared] = [0, 0];
  for (let round = 0; round <= rounds; round += 1) {
    const seal = await computedMs(() => sealPdf(input, files, certificate, null));
    const sealed = readFileSync(files.output);
    const comparison = await computedMs(async () => {
      if ((await firstChangedPage(pdf, sealed, parts)) !== null) throw new Error(`${what}: a page has changed`);
    });
    if (round > 0) [whole, compared] = [whole + seal, compared + comparison];
  }
  const found = whole / (whole - compared);
  console.log(
    `seal ${what.padEnd(20)} ${found.toFixed(2)} × with the comparison of pages (at most ${ratioMax}: ` +
      `${found <= ratioMax ? 'yes' : 'NO'}), ${Math.round(whole / rounds)} ms, of which ${Math.round(compared / rounds)} ms compare`,
  );
}

/** Returns the CPU time of all threads, in milliseconds. */
async function computedMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
