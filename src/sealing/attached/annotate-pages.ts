import { type PDF, PDFPage, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { printAndLocked } from '../../pdf/annotation-flags.ts';
import { type Canvas, createCanvas, fontEmbedder } from '../../pdf/drawing/canvas.ts';
import { textString } from '../../pdf/drawing/text-string.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import { wordsOf } from '../completion/words.ts';
import { isFilled, type SealField, type SealInput } from '../seal-input.ts';
import { type Area, valueDrawer } from './draw-value.ts';
import { pageMarks, placeMark } from './page-marks.ts';
import { boxOfArea, pageView } from './page-view.ts';

/** Something to stamp on a page. */
interface Stamp {
  page: number;
  area: Area;
  contents: string;
  /** Draws it with the top left corner of the area at the origin. */
  draw(canvas: Canvas): void;
}

/**
 * Adds the field values and the marks of all pages as stamp annotations: to a signed file, whose signatures allow annotations but no
 * change to the content of a page, and to pages on which nothing can be drawn. `isIncluded`: which pages get theirs, by number
 * from 1. Default: all.
 */
export function annotatePages(
  pdf: PDF,
  pages: readonly TreePage[],
  input: SealInput,
  isIncluded: (page: number) => boolean = () => true,
): void {
  const embed = fontEmbedder(pdf);
  const drawValue = valueDrawer(pdf, input);
  const values = input.fields.filter(isFilled).map(
    (field): Stamp => ({
      page: field.page,
      area: field,
      contents: describe(field, input),
      draw: (canvas) => drawValue(field, canvas, atOrigin(field)),
    }),
  );
  for (const { page: number, area, contents, draw } of [...values, ...markStamps(pdf, pages, input)]) {
    const page = pages[number - 1];
    if (page === undefined || !isIncluded(number)) continue;
    const view = pageView(page, resolverOf(pdf));
    const [a, b, c, d] = view.matrix;
    const stamp = PdfDict.of({
      Type: PdfName.of('Annot'),
      Subtype: PdfName.of('Stamp'),
      Rect: numbers(boxOfArea(area, view)),
      F: PdfNumber.of(printAndLocked),
      Contents: textString(contents),
      AP: PdfDict.of({
        N: pdf.register(appearance(pdf, area, [a, b, c, d], draw, embed)),
      }),
    });
    const annotations = page.dict.getArray('Annots', (ref) => pdf.context.resolve(ref));
    page.dict.set('Annots', new PdfArray([...(annotations ?? []), pdf.register(stamp)]));
  }
}

function markStamps(pdf: PDF, pages: readonly TreePage[], input: SealInput): Stamp[] {
  return pages.flatMap((page, index) => {
    const view = pageView(page, resolverOf(pdf));
    return pageMarks(input).map((mark): Stamp => {
      const { text, area, draw } = placeMark(mark, view);
      return { page: index + 1, area, contents: text, draw: (canvas) => draw(canvas, atOrigin(area)) };
    });
  });
}

/** Makes the appearance of a stamp. It is drawn upright for the page as shown, then rotated like the page. */
function appearance(
  pdf: PDF,
  { width, height }: Area,
  turn: readonly number[],
  draw: (canvas: Canvas) => void,
  embed: ReturnType<typeof fontEmbedder>,
): PdfStream {
  const sheet = PdfDict.of({ MediaBox: numbers([0, 0, width, height]), Resources: new PdfDict() });
  const page = new PDFPage(pdf.context.registry.allocateRef(), sheet, 0, pdf.context);
  const canvas = createCanvas(page, embed, { width, height, matrix: [1, 0, 0, 1, 0, 0] });
  draw(canvas);
  canvas.finish();
  const content = sheet.get('Contents', (ref) => pdf.context.resolve(ref));
  const entries = {
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Form'),
    BBox: numbers([0, 0, width, height]),
    Matrix: numbers([...turn, 0, 0]),
    Resources: sheet.getDict('Resources') ?? new PdfDict(),
  };
  return PdfStream.fromDict(entries, content instanceof PdfStream ? content.data : new Uint8Array());
}

function atOrigin({ width, height }: Area): Area {
  return { x: 0, y: 0, width, height };
}

function describe({ label, type, value, recipientId }: SealField, { recipients, language }: SealInput): string {
  const name = recipients.find(({ id }) => id === recipientId)?.name ?? '';
  const what = type === 'text' || type === 'date' ? value : wordsOf[language].fieldTypes[type];
  return [label, what, name].filter((part) => part !== null && part !== '').join(' · ');
}

function numbers(values: readonly number[]): PdfArray {
  return new PdfArray(values.map((value) => PdfNumber.of(value)));
}
