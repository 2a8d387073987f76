import { ops, type PDF, PDFPage, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream } from '@libpdf/core';
import { type Canvas, createCanvas, fontEmbedder, type PageView } from '../../pdf/drawing/canvas.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import { isFilled, type SealInput } from '../seal-input.ts';
import { annotatePages } from './annotate-pages.ts';
import { countOpenParts } from './count-open-parts.ts';
import { coveringAnnotations, stampFieldsAmong } from './covering-annotations.ts';
import { valueDrawer } from './draw-value.ts';
import { pageMarks, placeMark } from './page-marks.ts';
import { pageView } from './page-view.ts';

/**
 * Draws the field values and the marks of all pages on the pages of a file. Pages whose content nothing can be drawn after, and those
 * with an annotation that would cover them, get them as stamps. Returns whether there was something to draw. `resourceName` must
 * be a name that no page of the file uses, because a page may refer to resources that it does not define.
 */
export function fillPages(pdf: PDF, pages: readonly TreePage[], input: SealInput, resourceName: string): boolean {
  const fields = input.fields.filter(isFilled);
  const marks = pageMarks(input);
  const marked = new Map<string, PdfRef>();
  const extended: Extended = new Map();
  const embed = fontEmbedder(pdf);
  const drawValue = valueDrawer(pdf, input);
  const stamped = new Set<number>();
  for (const [index, page] of pages.entries()) {
    const own = fields.filter((field) => field.page === index + 1);
    if (own.length === 0 && marks.length === 0) continue;
    const view = pageView(page, resolverOf(pdf));
    const areas = [...own, ...marks.map((mark) => placeMark(mark, view).area)];
    const covering = coveringAnnotations(pdf, page, view, areas);
    const open = countOpenParts(pdf, page.dict);
    if (open === null || covering.length > 0) {
      stampFieldsAmong(pdf, covering);
      stamped.add(index + 1);
      continue;
    }
    // Pages of one size with marks alone share their drawing.
    const shared = own.length === 0 ? JSON.stringify(view) : null;
    const form =
      (shared === null ? undefined : marked.get(shared)) ??
      drawnForm(pdf, view, embed, (canvas) => {
        for (const field of own) drawValue(field, canvas, field);
        for (const { area, draw } of marks.map((mark) => placeMark(mark, view))) draw(canvas, area);
      });
    if (shared !== null) marked.set(shared, form);
    addXObject(pdf, page, resourceName, form, extended);
    const closing = [
      ...Array.from({ length: open.marked }, () => ops.endMarkedContent()),
      ...Array.from({ length: open.states }, () => ops.popGraphicsState()),
    ];
    new PDFPage(page.ref, page.dict, index, pdf.context).drawOperators([...closing, ops.paintXObject(resourceName)]);
  }
  if (stamped.size > 0) annotatePages(pdf, pages, input, (page) => stamped.has(page));
  return fields.length > 0 || (marks.length > 0 && pages.length > 0);
}

/** Makes a form XObject with its own fonts and images, so that the page needs only one new resource name. */
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

/** Returns the bounding box of the shown page in the coordinates of the page content. */
function boxOf({ width, height, matrix: [a, b, c, d, e, f] }: PageView): number[] {
  const xs = [e, a * width + e, c * height + e, a * width + c * height + e];
  const ys = [f, b * width + f, d * height + f, b * width + d * height + f];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Dictionaries of XObjects with one more, by the original and the one that was added. */
type Extended = Map<PdfDict, Map<PdfRef, PdfRef>>;

/**
 * Adds an XObject to the resources of a page. Inherited resources are copied to the page first, because libpdf would
 * replace them with an empty dictionary and the page would lose its fonts. Other pages may share the original, which may list
 * the images of all pages, so pages with the same form share its copy too.
 */
function addXObject(pdf: PDF, page: TreePage, name: string, form: PdfRef, extended: Extended): void {
  const resources = page.inherited('Resources');
  const copy = resources instanceof PdfDict ? resources.clone() : new PdfDict();
  const xObjects = copy.get('XObject', (ref) => pdf.context.resolve(ref));
  const original = xObjects instanceof PdfDict ? xObjects : new PdfDict();
  const copies = extended.get(original) ?? new Map<PdfRef, PdfRef>();
  extended.set(original, copies);
  const ref = copies.get(form) ?? pdf.register(extend(original, name, form));
  copies.set(form, ref);
  copy.set('XObject', ref);
  page.dict.set('Resources', copy);
}

function extend(xObjects: PdfDict, name: string, form: PdfRef): PdfDict {
  const copy = xObjects.clone();
  copy.set(name, form);
  return copy;
}
