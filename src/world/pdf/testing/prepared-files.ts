import { makePdf, type PdfPlan, stream } from '../pdfium/testing/make-pdf.ts';
import { layered } from './active-files.ts';
import { drawing, plainPdf } from './updated-pdf.ts';

/** What a recipient types: harmless as text, but the words of a page once it is drawn as one. */
export const typedPrice = 'q BT /F1 40 Tf 1 0 0 1 72 400 Tm (Price: 100000 dollars) Tj ET Q';

/** Numbers that the objects of a seal could take when the file defines none above `last`. */
function numbersAfter(last: number, count = 150): number[] {
  return Array.from({ length: count }, (_, i) => last + 1 + i);
}

/** The last object of a file of two pages. */
const lastObject = 13;
const dangling = numbersAfter(lastObject);
const refs = dangling.map((number) => `${number} 0 R`);
const pageTwo = (entries: string, plan: PdfPlan = {}) =>
  makePdf({ pages: [{ text: 'Terms' }, { text: 'Price: 100 dollars', entries }], ...plan });

/**
 * Files whose second page refers to objects that do not exist yet, each in its way. Object 13 draws the page; of two
 * entries of the same name the last one counts.
 */
export const preparedFiles: ReadonlyArray<[what: string, file: () => Buffer]> = [
  ['content streams', () => pageTwo(`/Contents [13 0 R ${refs.join(' ')}]`)],
  [
    'content streams of another generation',
    () => pageTwo(`/Contents [13 0 R ${refs.join(' ').replaceAll(' 0 R', ' 7 R')}]`),
  ],
  ['references with comments inside', () => pageTwo(`/Contents [13 0 R ${refs.join(' ').replaceAll(' 0', '%x\n0')}]`)],
  ['pictures and forms', () => withDrawing(dangling.map((number) => `/X${number} ${number} 0 R`).join(' '))],
  [
    'names of resources that the page does not have',
    () =>
      withPageOne('/Fm0 Do /Fm1 Do /Im0 Do q 200 0 0 200 72 300 cm /Im0 Do Q BT /F0 30 Tf 72 300 Td <00010002> Tj ET'),
  ],
  ['annotations', () => pageTwo(`/Annots [${dangling.map(stamp).join(' ')}]`)],
  ['an object stream', () => inObjectStream(`[13 0 R ${refs.join(' ')}]`)],
];

/**
 * The original attack: the first page shows the pictures, the second page draws the content streams, that would get the
 * first free numbers when the file is sealed.
 */
export function attackingFile(): Buffer {
  const pictures = dangling.map((number) => `/X${number} ${number} 0 R`).join(' ');
  const shown = dangling.map((number) => `q 200 0 0 200 72 100 cm /X${number} Do Q`).join('\n');
  const content = { entries: '', bytes: Buffer.from(`BT /F1 24 Tf 72 700 Td (Terms) Tj ET\n${shown}`) };
  const resources = `/Resources << /Font << /F1 3 0 R >> /XObject << ${pictures} >> >>`;
  return makePdf({
    pages: [
      { entries: resources, content },
      { text: 'Price: 100 dollars', entries: `/Contents [13 0 R ${refs.join(' ')}]` },
    ],
  });
}

function stamp(number: number): string {
  return `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [72 300 400 500] /AP << /N ${number} 0 R >> >>`;
}

function withDrawing(xObjects: string): Buffer {
  const drawn = dangling.map((number) => `q 200 0 0 200 72 300 cm /X${number} Do Q`).join('\n');
  return makePdf({
    pages: [
      { text: 'Terms' },
      { entries: `/Resources << /XObject << ${xObjects} >> >>`, content: { entries: '', bytes: Buffer.from(drawn) } },
    ],
  });
}

function withPageOne(drawn: string): Buffer {
  return makePdf({ pages: [{ content: { entries: '', bytes: Buffer.from(drawn) } }, {}] });
}

/** A list of contents as the only object of an object stream. Its number is in no table, for a reader that repairs files. */
function inObjectStream(list: string): Buffer {
  const table = '9999 0 ';
  const held = stream(`/Type /Obj#53tm /N 1 /First ${table.length}`, Buffer.from(`${table}${list}`));
  return pageTwo('/Contents 13 0 R', { objects: [held] });
}

/**
 * A file whose references are in an object stream with `obj` in a string, which a search of the bytes takes for the
 * beginning of an object. Its table ends before number 2000.
 */
export function hiddenReferences(): Buffer {
  const hidden = numbersAfter(2000, 1200).map((number) => `${number} 0 R`);
  const words = (text: string) => drawing('', `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`);
  const pageOf = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
  const objects = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] >>',
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    4: pageOf(5),
    5: words('Terms'),
    6: pageOf(8),
    7: words('Price: 100 dollars'),
    8: `[7 0 R ${hidden.join(' ')}]`,
  };
  return plainPdf(objects, { held: [8], heldEntries: '/Words (obj)' });
}

/** A file whose second page looks different once its layers are fixed: PDFium takes a string for their state. */
export function changingPage(): Buffer {
  return layered('', '/D << /BaseState (OFF) >>');
}

/** PDFium draws a font without a descriptor otherwise the first time. */
export function unusualFont(): Buffer {
  return plainPdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    3: '<< /Type /Font /Subtype /TrueType /BaseFont /Tahoma /FirstChar 32 /LastChar 255 >>',
    4: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    5: drawing('', 'BT /F1 24 Tf 72 720 Td (Terms) Tj ET'),
  });
}
