import { makePdf, type PdfPlan, stream } from '../../pdf/pdfium/testing/make-pdf.ts';
import { drawing, plainPdf, updatedPdf } from '../../pdf/strict/testing/updated-pdf.ts';
import { layered } from './active-files.ts';

/** Text typed by a recipient. It is harmless as text, but draws a price when used as the content of a page. */
export const typedPrice = 'q BT /F1 40 Tf 1 0 0 1 72 400 Tm (Price: 100000 dollars) Tj ET Q';

/** Returns numbers that the objects of a seal could use when the file defines none above `last`. */
function numbersAfter(last: number, count = 150): number[] {
  return Array.from({ length: count }, (_, i) => last + 1 + i);
}

/** Number of the last object in a file with two pages. */
const lastObject = 13;
const dangling = numbersAfter(lastObject);
const refs = dangling.map((number) => `${number} 0 R`);
const pageTwo = (entries: string, plan: PdfPlan = {}) =>
  makePdf({ pages: [{ text: 'Terms' }, { text: 'Price: 100 dollars', entries }], ...plan });

/**
 * Files whose second page refers to missing objects, each in a different way. Object 13 draws the page. Of two entries with
 * the same name, the last one counts.
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
 * Makes the file of the original attack. Sealing would give the first free numbers to pictures, which the first page shows,
 * and to content streams, which the second page draws.
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

/** Puts an array of contents into an object stream. No table has its number, so only readers that repair files find it. */
function inObjectStream(list: string): Buffer {
  const table = '9999 0 ';
  const held = stream(`/Type /Obj#53tm /N 1 /First ${table.length}`, Buffer.from(`${table}${list}`));
  return pageTwo('/Contents 13 0 R', { objects: [held] });
}

/**
 * Makes a file whose references are in an object stream with `obj` in a string. A search of the bytes takes that for the
 * start of an object. The cross-reference table ends before number 2000.
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

/** Makes a file whose second page changes when its layers are fixed, because PDFium accepts a string as their state. */
export function changingPage(): Buffer {
  return layered('', '/D << /BaseState (OFF) >>');
}

/** Makes a file with a font without a descriptor, which PDFium draws differently the first time. */
export function unusualFont(): Buffer {
  return plainPdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    3: '<< /Type /Font /Subtype /TrueType /BaseFont /Tahoma /FirstChar 32 /LastChar 255 >>',
    4: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    5: drawing('', 'BT /F1 24 Tf 72 720 Td (Terms) Tj ET'),
  });
}

/** Makes a hybrid file and updates it as a program that copies the reference to the stream, which has the objects before the update. */
export function updatedHybrid(): Buffer {
  const pageOf = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
  const objects = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    4: pageOf(5),
    5: drawing('', 'BT /F1 24 Tf 72 720 Td (Draft) Tj ET'),
  };
  const plain = plainPdf(objects).toString('latin1');
  const rows = Object.keys(objects).map((number) => {
    const row = Buffer.from([1, 0, 0, 0, 0, 0]);
    row.writeUInt32BE(plain.indexOf(`${number} 0 obj`), 1);
    return row;
  });
  const table = Buffer.concat(rows).toString('latin1');
  const stream = `<< /Type/XRef /W [1 4 1] /Index [1 5] /Size 7 /Root 1 0 R /Length ${table.length} >>\nstream\n${table}\nendstream`;
  const trailer = `/XRefStm ${plain.lastIndexOf('xref\n0 1')}`;
  const hybrid = plainPdf({ ...objects, 6: stream }, { trailer });
  const update = { 4: pageOf(7), 7: drawing('', 'BT /F1 24 Tf 72 720 Td (Final terms) Tj ET') };
  return updatedPdf(hybrid, update, { trailer });
}
