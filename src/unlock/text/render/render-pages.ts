import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { PDF } from '@libpdf/core';
import { fontEmbedder } from '../../../pdf/drawing/canvas.ts';
import { savePdf } from '../../../pdf/drawing/finish-pdf.ts';
import { createFlow, type Flow } from '../../../pdf/drawing/flow.ts';
import { colours, margins, styles } from '../../../pdf/drawing/theme.ts';
import { prepareShaping } from '../../../pdf/text/shaper.ts';
import { oneLine } from '../../../pdf/text/wrap-text.ts';
import type { UnlockedPage } from '../../blocks.ts';
import { readPages } from '../export/read-pages.ts';
import { drawBlock } from './draw-block.ts';
import type { Rendering, RenderJob } from './jobs.ts';

/** Makes a PDF of an unlocked document. Its blocks follow each other on pages with the size of its first page. */
export async function renderPages({ source, output, title, at }: Omit<RenderJob, 'kind'>): Promise<Rendering> {
  const pdf = PDF.create();
  describe(pdf, title, at);
  const pages = readPages(createReadStream(source));
  const first = await pages.next();
  const size = pageSizeOf(first.done ? null : first.value);
  let current: Flow | null = null;
  const newPage = () => {
    // Pages are written as they are finished, so that a book is never in memory as a whole.
    current?.canvas.finish();
    return pdf.addPage(size);
  };
  const flow = createFlow(newPage, fontEmbedder(pdf));
  current = flow;
  if (!first.done) await drawPage(flow, first.value);
  for await (const page of pages) await drawPage(flow, page);
  drawNumbers(flow);
  for (const page of flow.pages) page.finish();
  const bytes = await savePdf(pdf);
  await writeFile(output, bytes, { flag: 'wx', mode: 0o600 });
  return {
    sha256: createHash('sha256').update(bytes).digest(),
    bytes: bytes.length,
    pages: flow.pages.map(({ width, height }) => ({ width, height })),
  };
}

async function drawPage(flow: Flow, { blocks }: UnlockedPage): Promise<void> {
  await prepareShaping(JSON.stringify(blocks));
  for (const block of blocks) drawBlock(flow, block);
}

function describe(pdf: PDF, title: string, at: Date): void {
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setCreator('Countersign');
  pdf.setProducer('Countersign');
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);
}

const letter = { width: 612, height: 792 };
/** Limits of a page side, in points. A smaller page has no room between the margins, a larger one is a plan or poster. */
const [sideMin, sideMax] = [360, 1300];

function pageSizeOf(page: UnlockedPage | null): { width: number; height: number } {
  const isFit = (side: number) => side >= sideMin && side <= sideMax;
  return page !== null && isFit(page.width) && isFit(page.height) ? { width: page.width, height: page.height } : letter;
}

/** Draws page numbers at the bottom, when there is more than one page. */
function drawNumbers({ pages }: Flow): void {
  if (pages.length === 1) return;
  for (const [index, canvas] of pages.entries()) {
    const number = oneLine(String(index + 1), styles.small, 100);
    const at = { x: (canvas.width - number.width) / 2, y: canvas.height - margins.bottom / 2 };
    canvas.text(number, { ...at, size: styles.small.size, colour: colours.soft });
  }
}
