import { type OpenDocument, withPage } from '../../../pdf/pdfium/open-document.ts';
import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Block, FormField, PageSource, UnlockedPage } from '../../blocks.ts';
import { type BodyStyle, createStyleCount } from '../layout/body-style.ts';
import { layOutPage } from '../layout/lay-out-page.ts';
import { mapBoxes } from '../layout/map-boxes.ts';
import { addRecognised } from '../reading/add-recognised.ts';
import { isStampedScan } from '../reading/is-stamped-scan.ts';
import type { OpenForm } from '../reading/read-fields.ts';
import { readWords, type Written } from '../reading/read-words.ts';
import { type Size, turnBox, turnSize } from '../reading/upright.ts';
import type { ScanReader } from './scan-reader.ts';

export interface Unlocking {
  document: OpenDocument;
  form: OpenForm | null;
  scans: ScanReader;
  /** Null for a file without text. Each page then has its own style. */
  body: BodyStyle | null;
}

interface Found {
  source: PageSource;
  size: Size;
  written: Written[];
  fields: FormField[];
}

/** Returns the contents of a page, counted from 1. */
export async function unlockPage(unlocking: Unlocking, number: number): Promise<UnlockedPage> {
  const { source, size, written, fields } = await findOnPage(unlocking, number);
  const body = source === 'text' && unlocking.body !== null ? unlocking.body : styleOf(written);
  const blocks = written.flatMap((one, index) => layOutTurned(one, index === 0 ? fields : [], size, body));
  return { page: number, ...size, source, blocks: blocks.map((block) => mapBoxes(block, roundBox)) };
}

async function findOnPage({ document, form, scans }: Unlocking, number: number): Promise<Found> {
  const found = withPage(document, number, (page) => {
    const { pdfium } = document;
    const size = { width: round(pdfium.FPDF_GetPageWidthF(page)), height: round(pdfium.FPDF_GetPageHeightF(page)) };
    const written = readWords(pdfium, page, size);
    const words = written.flatMap((one) => one.words);
    const isStamped = words.length > 0 && isStampedScan(pdfium, page, size, words);
    return { size, written, isStamped, fields: form?.fieldsOf(page) ?? [] };
  });
  if (found.isStamped) {
    const written = addRecognised(found.written, await scans.readStamped(number), found.size);
    if (written !== null) return { ...found, source: 'ocr', written };
  }
  if (found.written.length > 0) return { source: 'text', ...found };
  const words = await scans.read(number);
  const isForm = words.length === 0 && found.fields.length > 0;
  return { ...found, source: words.length > 0 ? 'ocr' : isForm ? 'text' : 'none', written: [{ turns: 0, words }] };
}

function styleOf(written: readonly Written[]): BodyStyle {
  const count = createStyleCount();
  for (const { words } of written) count.add(words);
  return count.result();
}

/** Lays out turned text upright and turns the blocks back. Form fields belong to the main direction of the page. */
function layOutTurned({ turns, words }: Written, fields: readonly FormField[], size: Size, body: BodyStyle): Block[] {
  const upright = turnSize(size, turns);
  const turned = fields.map((field) => ({ ...field, ...turnBox(field, turns, size) }));
  const blocks = layOutPage({ ...upright, words, fields: turned }, body);
  if (turns === 0) return blocks;
  return blocks.map((block) => mapBoxes(block, (box) => ({ ...box, ...turnBox(box, 4 - turns, upright) })));
}

function roundBox<T extends Box>(box: T): T {
  return { ...box, x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
