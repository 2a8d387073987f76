import type { Pdfium } from './load-pdfium.ts';
import { type OpenDocument, withPage } from './open-document.ts';
import { type PageText, readPageText, type TextLine, type TextPiece } from './page-text.ts';
import { type Box, placeOnPage, rectangleOf } from './place-on-page.ts';
import { addAppearance, isTextField, mayShowText } from './shown-annotations.ts';

/** More annotations of a page are not read. */
const annotationsMax = 2000;
/** After this time, only values of form fields are read: an appearance loads its fonts again, which can take long. */
const appearancesMs = 2000;
const identity = [1, 0, 0, 1, 0, 0];
const normalAppearance = 0;
const passwordFlag = 0x2000;
/** A longer value isn't read. PDFium writes no part of it. */
const valueBytesMax = 40_000;

/** Reads the text of a page (from 1) as it is shown: of its content, and of its annotations, such as the values of form fields. */
export function readShownText(document: OpenDocument, page: number): PageText {
  return withPage(document, page, (handle) => {
    const { lines } = readPageText(document.pdfium, handle);
    return { lines: insertLines(lines, readAnnotations(document, handle)) };
  });
}

/** Returns the lines of each annotation, in the order of the page. */
function readAnnotations(document: OpenDocument, page: number): TextLine[][] {
  const { pdfium } = document;
  const toShown = placeOnPage(pdfium, page);
  const isTurned = pdfium.FPDFPage_GetRotation(page) !== 0;
  const size = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), annotationsMax);
  const end = performance.now() + appearancesMs;
  return Array.from({ length: count }, (_, index) => {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) return [];
    try {
      const box = toShown(rectangleOf(pdfium, annotation));
      if (!isOnPage(box, size) || !mayShowText(document, annotation)) return [];
      if (performance.now() > end) return readValue(document, annotation, box);
      addAppearance(document, annotation);
      return (
        upright(pdfium, annotation, (isMoved) => readAppearance(pdfium, annotation, box, isTurned || isMoved)) ??
        readValue(document, annotation, box)
      );
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  });
}

function isOnPage({ x, y, width, height }: Box, page: { width: number; height: number }): boolean {
  const isEmpty = width <= 0 || height <= 0;
  return !isEmpty && x < page.width && y < page.height && x + width > 0 && y + height > 0;
}

/**
 * Reads the text of an annotation as that of a page of its own. A line of turned text gets the place of the whole annotation. Null
 * for an appearance that isn't marked as one, such as those that PDFium makes: it is drawn, but not on a page of its own.
 */
function readAppearance(pdfium: Pdfium, annotation: number, box: Box, isTurned: boolean): TextLine[] | null {
  const single = pdfium.EPDFAnnot_ExportAppearanceAsDocument(annotation);
  if (single === 0) return [];
  const page = pdfium.FPDF_LoadPage(single, 0);
  try {
    if (page === 0) return [];
    if (pdfium.FPDFPage_CountObjects(page) === 0) return null;
    const [across, down] = [box.width / pdfium.FPDF_GetPageWidthF(page), box.height / pdfium.FPDF_GetPageHeightF(page)];
    const place = <Piece extends TextPiece>(piece: Piece): Piece => ({
      ...piece,
      x: round(isTurned ? box.x : box.x + piece.x * across),
      y: round(isTurned ? box.y : box.y + piece.y * down),
      width: round(isTurned ? box.width : piece.width * across),
      height: round(isTurned ? box.height : piece.height * down),
    });
    return readPageText(pdfium, page).lines.map((line) => ({
      ...place(line),
      words: line.words.map(place),
      runs: line.runs.map(place),
    }));
  } finally {
    if (page !== 0) pdfium.FPDF_ClosePage(page);
    pdfium.FPDF_CloseDocument(single);
  }
}

/** Reads the value of a form field as one line. Passwords have none. */
function readValue(document: OpenDocument, annotation: number, box: Box): TextLine[] {
  const { pdfium } = document;
  const form = document.form();
  if (!isTextField(document, annotation)) return [];
  if ((pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & passwordFlag) !== 0) return [];
  const bytes = pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, 0, 0);
  if (bytes <= 2 || bytes > valueBytesMax) return [];
  const buffer = pdfium.memory.allocate(bytes);
  try {
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes);
    const value = Buffer.from(pdfium.memory.bytes(buffer, bytes - 2))
      .toString('utf16le')
      .toWellFormed();
    const piece = { ...box, text: value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() };
    const style = { fontSize: box.height, weight: 400, isItalic: false, fontName: '', color: '#000000' };
    return piece.text === '' ? [] : [{ ...piece, words: [piece], runs: [{ ...piece, ...style }] }];
  } finally {
    pdfium.memory.free(buffer);
  }
}

/** Runs `read` while the appearance of an annotation isn't turned or moved, because turned text can lie outside of its page. */
function upright<Result>(pdfium: Pdfium, annotation: number, read: (isMoved: boolean) => Result): Result {
  const { memory } = pdfium;
  const matrix = memory.allocate(2 * 24);
  try {
    const plain = matrix + 24;
    memory.bytes(plain, 24).set(new Uint8Array(Float32Array.from(identity).buffer));
    const isMoved =
      pdfium.EPDFAnnot_GetAPMatrix(annotation, normalAppearance, matrix) &&
      identity.some((value, index) => memory.float(matrix + 4 * index) !== value);
    if (!isMoved) return read(false);
    pdfium.EPDFAnnot_SetAPMatrix(annotation, normalAppearance, plain);
    try {
      return read(true);
    } finally {
      pdfium.EPDFAnnot_SetAPMatrix(annotation, normalAppearance, matrix);
    }
  } finally {
    memory.free(matrix);
  }
}

/** Inserts the lines of each annotation after the line that it probably belongs to: the nearest one above or to the left. */
function insertLines(lines: readonly TextLine[], annotations: readonly TextLine[][]): TextLine[] {
  const after = new Map<TextLine | undefined, TextLine[]>();
  for (const own of annotations) {
    const [first] = own;
    if (first === undefined) continue;
    const place = nearestBefore(lines, first);
    after.set(place, [...(after.get(place) ?? []), ...own]);
  }
  return [...(after.get(undefined) ?? []), ...lines.flatMap((line) => [line, ...(after.get(line) ?? [])])];
}

function nearestBefore(lines: readonly TextLine[], box: Box): TextLine | undefined {
  let nearest: { line: TextLine; distance: number } | undefined;
  for (const line of lines) {
    const isBefore = line.y < box.y + box.height / 2 && line.x < box.x + box.width / 2;
    const distance = gap(line.x, line.width, box.x, box.width) + gap(line.y, line.height, box.y, box.height);
    if (isBefore && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { line, distance };
  }
  return nearest?.line;
}

/** Returns the distance of two spans, 0 when they overlap. */
function gap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.max(0, otherFrom - (from + length), from - (otherFrom + otherLength));
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
