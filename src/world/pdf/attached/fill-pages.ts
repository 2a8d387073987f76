import {
  ops,
  type PDF,
  PDFPage,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  type PdfRef,
  PdfStream,
} from '@libpdf/core';
import { type Canvas, createCanvas, fontEmbedder, type PageView } from '../page/canvas.ts';
import type { SealInput } from '../seal-input.ts';
import { isFilled, valueDrawer } from './draw-value.ts';
import { openGraphics } from './open-graphics.ts';
import type { TreePage } from './page-tree.ts';
import { shownPage } from './shown-page.ts';

/**
 * Draws what the recipients filled in on the pages of a file. Returns whether there was anything to draw. `resourceName`
 * is one that no content of the file can use already: a page may name resources that it does not have.
 */
export function fillPages(pdf: PDF, pages: readonly TreePage[], input: SealInput, resourceName: string): boolean {
  const fields = input.fields.filter(isFilled);
  const embed = fontEmbedder(pdf);
  const drawValue = valueDrawer(pdf, input);
  for (const [index, page] of pages.entries()) {
    const own = fields.filter((field) => field.page === index + 1);
    if (own.length === 0) continue;
    const view = shownPage(page, following(pdf));
    const form = drawnForm(pdf, view, embed, (canvas) => {
      for (const field of own) drawValue(field, canvas, field);
    });
    const open = openGraphics(pdf, page.dict);
    addXObject(pdf, page, resourceName, form);
    const closing = Array.from({ length: open }, () => ops.popGraphicsState());
    new PDFPage(page.ref, page.dict, index, pdf.context).drawOperators([...closing, ops.paintXObject(resourceName)]);
  }
  return fields.length > 0;
}

/** A form with fonts and images of its own, so that the page gets one new name and no more. */
function drawnForm(
  pdf: PDF,
  view: PageView,
  embed: ReturnType<typeof fontEmbedder>,
  draw: (canvas: Canvas) => void,
): PdfRef {
  const sheet = PdfDict.of({ Resources: new PdfDict() });
  const canvas = createCanvas(new PDFPage(pdf.context.registry.allocateRef(), sheet, 0, pdf.context), embed, view);
  draw(canvas);
  canvas.finish();
  const content = sheet.getRef('Contents') ?? pdf.register(new PdfStream([], new Uint8Array()));
  const form = pdf.context.resolve(content) as PdfStream;
  form.set('Type', PdfName.of('XObject'));
  form.set('Subtype', PdfName.of('Form'));
  form.set('BBox', new PdfArray(boxOf(view).map((number) => PdfNumber.of(number))));
  form.set('Resources', sheet.getDict('Resources') ?? new PdfDict());
  return content;
}

/** The corners of the page as it is shown, as the page is written. */
function boxOf({ width, height, matrix: [a, b, c, d, e, f] }: PageView): number[] {
  const xs = [e, a * width + e, c * height + e, a * width + c * height + e];
  const ys = [f, b * width + f, d * height + f, b * width + d * height + f];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * What a page inherits it must get of its own before anything is added to it: libpdf would put an empty dictionary in
 * its place, and the fonts of the page would be gone. A copy, because others may use the same.
 */
function addXObject(pdf: PDF, page: TreePage, name: string, form: PdfRef): void {
  const resources = page.inherited('Resources');
  const copy = resources instanceof PdfDict ? resources.clone() : new PdfDict();
  const xObjects = copy.get('XObject', (ref) => pdf.context.resolve(ref));
  const added = xObjects instanceof PdfDict ? xObjects.clone() : new PdfDict();
  added.set(name, form);
  copy.set('XObject', added);
  page.dict.set('Resources', copy);
}

export function following(pdf: PDF) {
  return (item: PdfObject | undefined) => (item?.type === 'ref' ? pdf.context.resolve(item) : item);
}
