import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../src/platform/log.ts';
import { createUnlocker } from '../src/unlock/convert/create-unlocker.ts';
import { type DrawnPage, drawPages, lines } from '../src/unlock/convert/testing/draw-pages.ts';

/**
 * `npm run bench`: how many pages one process unlocks per second, compared with `pdftotext -layout` on the same file,
 * which only places the letters and finds no columns, tables, headings or lists.
 */
const pagesPerFile = Number(process.env.BENCH_UNLOCK_PAGES ?? 300);
const rounds = 5;

const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-unlock-'));
const unlocker = createUnlocker({ log: createLog('silent') });
const words = 'The tenant keeps the house in good repair and gives notice of every damage that is seen'.split(' ');

try {
  for (const [what, page] of [
    ['prose', prosePage],
    ['two columns', columnsPage],
    ['a table', tablePage],
  ] as const) {
    await compare(
      what,
      Array.from({ length: pagesPerFile }, (_, number) => page(number)),
    );
  }
} finally {
  await unlocker.close();
  rmSync(directory, { recursive: true, force: true });
}

async function compare(what: string, pages: DrawnPage[]): Promise<void> {
  const source = join(directory, 'source.pdf');
  writeFileSync(source, drawPages(pages));
  await unlock(source, pages.length); // loads and compiles what the first use needs
  const [ours, floor] = [[] as number[], [] as number[]];
  for (let round = 0; round < rounds; round++) {
    ours.push(await secondsOf(() => unlock(source, pages.length)));
    floor.push(await secondsOf(async () => execFileSync('pdftotext', ['-layout', source, join(directory, 'text')])));
  }
  const rate = (seconds: number[]) => pages.length / Math.min(...seconds);
  console.log(
    `unlock ${what.padEnd(12)} ${rate(ours).toFixed(0)} pages/s, ${(rate(ours) / rate(floor)).toFixed(2)} of pdftotext -layout (${rate(floor).toFixed(0)} pages/s), ${Math.round(statSync(source).size / 1024)} KiB`,
  );
}

async function unlock(source: string, pages: number): Promise<void> {
  const output = join(directory, 'pages.gz');
  rmSync(output, { force: true });
  const made = await unlocker.convert({ source, output, pages });
  if (!made.ok) throw new Error(made.reason);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function sentence(from: number, length: number): string {
  return Array.from({ length }, (_, i) => words[(from + i) % words.length]).join(' ');
}

function prosePage(number: number): DrawnPage {
  const heading = { x: 72, y: 80, text: `${number + 1}. Duties of the tenant`, size: 16, bold: true };
  const prose = Array.from({ length: 45 }, (_, line) => sentence(number + line * 3, 13));
  return { texts: [heading, ...lines(72, 110, prose)] };
}

function columnsPage(number: number): DrawnPage {
  const column = (from: number) => Array.from({ length: 48 }, (_, line) => sentence(from + line, 7));
  return { texts: [...lines(54, 72, column(number)), ...lines(320, 72, column(number + 5))] };
}

function tablePage(number: number): DrawnPage {
  const row = (y: number, index: number) =>
    [`Item ${number}.${index}`, sentence(index, 2), String(index * 7), `${index * 13}.50`].map((text, column) => ({
      x: 72 + column * 120,
      y,
      text,
    }));
  return { texts: Array.from({ length: 36 }, (_, index) => row(80 + index * 18, index)).flat() };
}
