import { PDF, PdfArray, PdfNumber } from '@libpdf/core';
import { beforeAll, expect, test } from 'vitest';
import { loadPdfium, type Pdfium } from './load-pdfium.ts';
import { type OpenDocument, openBytes, withPage } from './open-document.ts';
import { type PageText, readPageText } from './page-text.ts';
import type { Box } from './place-on-page.ts';
import { pagePixels } from './render-page.ts';

/** The text of a page is in reading order and lies where its picture shows it, whichever way the page is turned. */
let pdfium: Pdfium;
beforeAll(async () => {
  pdfium = await loadPdfium();
});

const quarters = [0, 1, 2, 3] as const;
const directions = ['upright', 'upwards', 'upside down', 'downwards'] as const;

/** Upright lines have no word of one character, because PDFium may break a line there. */
function clausesIn(turns: number): string[] {
  const first = turns === 0 ? 11 : 1;
  return ['Lease agreement', ...Array.from({ length: 12 }, (_, index) => `Clause ${first + index} of the lease`)];
}

type Corners = [left: number, bottom: number, right: number, top: number];
interface Boxes {
  MediaBox: Corners;
  CropBox?: Corners;
}

const boxes: Array<[string, Boxes]> = [
  ['at the origin', { MediaBox: [0, 0, 612, 792] }],
  ['whose MediaBox starts elsewhere', { MediaBox: [-200, 130, 412, 922] }],
  ['with a smaller CropBox', { MediaBox: [-50, -30, 612, 792], CropBox: [100, 150, 500, 620] }],
  ['with a CropBox beyond its MediaBox', { MediaBox: [20, 30, 612, 792], CropBox: [-100, 0, 512, 900] }],
];

const pages = boxes.flatMap(([name, box]) => quarters.map((turns) => ({ name, box, rotate: turns * 90 })));

test.each(pages)('a page $name with /Rotate $rotate', async ({ box, rotate }) => {
  for (const [turns, direction] of directions.entries()) {
    const clauses = clausesIn(turns);
    for (const isByWord of [false, true]) {
      const drawing: Drawing = { ...box, rotate, lines: clauses.map((text) => ({ text, turns })), isByWord };
      const { lines, size, dark } = await read(drawing);
      const note = `${direction}, ${isByWord ? 'word by word' : 'line by line'}`;
      expect(
        lines.map(({ text }) => text),
        note,
      ).toEqual(clauses);
      for (const [index, line] of lines.entries()) {
        expect(isInside(line, size), `${note}: ${JSON.stringify(line)}`).toBe(true);
        expect(holds(grown(line, 4), seenStart(index, turns, size)), `${note}: ${JSON.stringify(line)}`).toBe(true);
        expect(line.height > line.width, note).toBe(turns % 2 === 1);
        expect(dark.filter((point) => holds(grown(line, 1), point)).length, note).toBeGreaterThan(20);
      }
      expect(
        dark.filter((point) => !lines.some((line) => holds(grown(line, 1), point))),
        note,
      ).toEqual([]);
    }
  }
});

test.each(directions.slice(1))('a table that reads %s, between upright lines', async (direction) => {
  const turns = directions.indexOf(direction);
  const texts = ['Annex A', 'Item and price', 'Desk 100', 'Chair 50', 'Page 7'];
  for (const rotate of [0, 90, 180, 270]) {
    const lines = texts.map((text, index) => ({ text, turns: index === 0 || index === 4 ? 0 : turns }));
    const { lines: found } = await read({ MediaBox: [0, 0, 612, 792], rotate, lines, isByWord: false });
    expect(found.map(({ text }) => text)).toEqual(texts);
  }
});

test('text outside the CropBox is omitted, and a glyph at its edge ends there', async () => {
  const [MediaBox, CropBox]: [Corners, Corners] = [
    [0, 0, 612, 792],
    [78, 500, 300, 712],
  ];
  for (const rotate of [0, 90, 180, 270]) {
    const file = await fileOf({ MediaBox, rotate, lines: [], isByWord: false }, (pdf) => {
      const page = pdf.getPage(0);
      page?.drawText('Above', { x: 100, y: 750, size: 12 });
      page?.drawText('Within', { x: 72, y: 650, size: 12 }); // the edge cuts the W
      page?.drawText('Leaving the page', { x: 260, y: 600, size: 12 });
      page?.drawText('Below', { x: 100, y: 400, size: 12 });
      page?.dict.set('CropBox', arrayOf(CropBox));
    });
    const { lines, size } = withFile(file);
    expect(lines.map(({ text }) => text)).toEqual(['Within', 'Leaving']);
    for (const line of lines)
      for (const box of [line, ...line.words, ...line.runs]) expect(isInside(box, size)).toBe(true);
  }
});

interface Drawing extends Boxes {
  /** The page's own rotation, clockwise, in degrees. */
  rotate: number;
  /** Counterclockwise quarter turns of each line as seen on the rotated page. */
  lines: Array<{ text: string; turns: number }>;
  /** Draws each word as a text object of its own. */
  isByWord: boolean;
}

const [marginLeft, marginTop, lineHeight, wordWidth, fontSize] = [60, 60, 20, 60, 12];

async function read(drawing: Drawing) {
  return withFile(await fileOf(drawing, (pdf) => draw(pdf, drawing)));
}

async function fileOf({ MediaBox, CropBox, rotate }: Drawing, fill: (pdf: PDF) => void): Promise<Uint8Array> {
  const pdf = PDF.create();
  const page = pdf.addPage({ rotate });
  page.dict.set('MediaBox', arrayOf(MediaBox));
  if (CropBox !== undefined) page.dict.set('CropBox', arrayOf(CropBox));
  fill(pdf);
  return pdf.save();
}

function arrayOf(numbers: number[]): PdfArray {
  return new PdfArray(numbers.map((number) => PdfNumber.of(number)));
}

function draw(pdf: PDF, { MediaBox, CropBox = MediaBox, rotate, lines, isByWord }: Drawing): void {
  const visible: Corners = [
    Math.max(MediaBox[0], CropBox[0]),
    Math.max(MediaBox[1], CropBox[1]),
    Math.min(MediaBox[2], CropBox[2]),
    Math.min(MediaBox[3], CropBox[3]),
  ];
  for (const [index, { text, turns }] of lines.entries()) {
    const drawnTurns = (turns + rotate / 90) % 4;
    for (const [place, piece] of (isByWord ? text.split(' ') : [text]).entries()) {
      const [x, y] = drawnAt(visible, drawnTurns, marginLeft + place * wordWidth, marginTop + index * lineHeight);
      const origin = { x, y };
      pdf.getPage(0)?.drawText(piece, { x, y, size: fontSize, rotate: { angle: drawnTurns * 90, origin } });
    }
  }
}

/** Converts a point of text, from its start and its top, to the coordinates of the page content. */
function drawnAt([left, bottom, right, top]: Corners, turns: number, along: number, down: number): [number, number] {
  const points: Array<[number, number]> = [
    [left + along, top - down],
    [left + down, bottom + along],
    [right - along, bottom + down],
    [right - down, top - along],
  ];
  return points[turns] as [number, number];
}

interface Size {
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** Returns where a line starts on the page as seen, from the top left corner. */
function seenStart(index: number, turns: number, { width, height }: Size): Point {
  const [along, down] = [marginLeft, marginTop + index * lineHeight];
  const points: Point[] = [
    { x: along, y: down },
    { x: down, y: height - along },
    { x: width - along, y: height - down },
    { x: width - down, y: along },
  ];
  return points[turns] as Point;
}

/** Reads the text of the first page, and then its dark pixels at their places in points. */
function withFile(file: Uint8Array): PageText & { size: Size; dark: Point[] } {
  const document = openBytes(pdfium, file) as OpenDocument;
  try {
    const text = withPage(document, 1, (page) => readPageText(pdfium, page));
    const size = withPage(document, 1, (page) => ({
      width: pdfium.FPDF_GetPageWidthF(page),
      height: pdfium.FPDF_GetPageHeightF(page),
    }));
    return { ...text, size, dark: darkPoints(pagePixels(document, 1, size.width)) };
  } finally {
    document.close();
  }
}

function darkPoints({ pixels, width, height }: ReturnType<typeof pagePixels>): Point[] {
  const points: Point[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((pixels[(y * width + x) * 4] ?? 255) < 128) points.push({ x: x + 0.5, y: y + 0.5 });
    }
  }
  return points;
}

function isInside({ x, y, width, height }: Box, page: Size): boolean {
  return x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= page.width && y + height <= page.height;
}

function holds({ x, y, width, height }: Box, point: Point): boolean {
  return point.x >= x && point.y >= y && point.x <= x + width && point.y <= y + height;
}

function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
