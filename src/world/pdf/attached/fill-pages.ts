import { type PDF, PDFPage, PdfDict, type PdfObject } from '@libpdf/core';
import { createCanvas, fontEmbedder } from '../page/canvas.ts';
import type { SealInput } from '../seal-input.ts';
import { isFilled, valueDrawer } from './draw-value.ts';
import { openGraphics } from './open-graphics.ts';
import type { TreePage } from './page-tree.ts';
import { shownPage } from './shown-page.ts';

/** Draws what the parties filled in on the pages of a file. Answers whether there was anything to draw. */
export function fillPages(pdf: PDF, pages: readonly TreePage[], input: SealInput): boolean {
  const fields = input.fields.filter(isFilled);
  const embed = fontEmbedder(pdf);
  const drawValue = valueDrawer(pdf, input);
  for (const [index, page] of pages.entries()) {
    const own = fields.filter((field) => field.page === index + 1);
    if (own.length === 0) continue;
    takeResources(pdf, page);
    const target = new PDFPage(page.ref, page.dict, index, pdf.context);
    const open = openGraphics(pdf, page.dict);
    const canvas = createCanvas(target, embed, shownPage(page, following(pdf)), open);
    for (const field of own) drawValue(field, canvas, field);
    canvas.finish();
  }
  return fields.length > 0;
}

/**
 * What a page inherits it must get of its own before anything is added to it: libpdf would put an empty dictionary in
 * its place, and the fonts of the page would be gone. A copy, because others may use the same.
 */
function takeResources(pdf: PDF, page: TreePage): void {
  const resources = page.inherited('Resources');
  const copy = resources instanceof PdfDict ? resources.clone() : new PdfDict();
  for (const key of ['Font', 'XObject'] as const) {
    const kind = copy.get(key, (ref) => pdf.context.resolve(ref));
    if (kind instanceof PdfDict) copy.set(key, kind.clone());
  }
  page.dict.set('Resources', copy);
}

export function following(pdf: PDF) {
  return (item: PdfObject | undefined) => (item?.type === 'ref' ? pdf.context.resolve(item) : item);
}
