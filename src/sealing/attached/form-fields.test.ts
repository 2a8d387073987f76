import { PDF, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { expect, test } from 'vitest';
import { annotationsOf, flagsOf } from '../../pdf/annotations.ts';
import { readPages } from '../../pdf/page-tree.ts';
import { loadPdfium } from '../../pdf/pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../../pdf/pdfium/open-document.ts';
import { pagePixels } from '../../pdf/pdfium/render-page.ts';
import { type FormPlan, form, formFile, look, text, withLook } from '../../pdf/pdfium/testing/form-file.ts';
import { makePdf, stream } from '../../pdf/pdfium/testing/make-pdf.ts';
import { openPdf } from '../../pdf/reading/open-pdf.ts';
import { inputFor, sampleFile, signedFile } from '../testing/sample-files.ts';
import { sealHere } from '../testing/seal-here.ts';
import { inspect, pdfText } from '../testing/tools.ts';

/** Returns the pixels of the first page above the values that are added when it is sealed. */
async function pixelsAbove(file: Uint8Array): Promise<Buffer> {
  const document = openBytes(await loadPdfium(), file) as OpenDocument;
  try {
    const { pixels, width } = pagePixels(document, 1, 612);
    return Buffer.from(pixels.slice(0, width * 4 * 600));
  } finally {
    document.close();
  }
}

const bare = `${text} /MK << /BC [1 0 0] /BG [0 0 1] >>`;

test.each<[string, FormPlan]>([
  ['a value', { entries: `${text} ${withLook}` }],
  ['a value that readers would draw again', { entries: `${text} ${withLook}`, catalog: form('/NeedAppearances true') }],
  ['a value without an appearance', { entries: text }],
  ['a value that only readers draw', { entries: text, catalog: form('/NeedAppearances true') }],
  ['a field that has a border, no appearance and no form', { entries: bare, catalog: '' }],
  [
    'a field that has a border and no appearance, outside of the form',
    { entries: bare, catalog: '/AcroForm << /Fields [] >>' },
  ],
  ['a form without fonts', { entries: bare, catalog: '/AcroForm << /Fields [10000 0 R] >>' }],
])('the sealed PDF looks as the file did, with %s', async (_, plan) => {
  const file = formFile(plan);
  const sealed = await sealHere(inputFor(file, 1, [{ y: 700 }]), file);
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
  expect((await pixelsAbove(sealed)).equals(await pixelsAbove(file))).toBe(true);
});

test('every reader shows the field of a hidden layer, as the recipients saw it', async () => {
  const layers = '/OCProperties << /OCGs [10002 0 R] /D << /OFF [10002 0 R] >> >>';
  const entries = `/FT /Tx /T (rate) /OC 10002 0 R ${withLook}`;
  const file = formFile({ entries, catalog: `${form()} ${layers}`, layer: '<< /Type /OCG /Name (L) >>' });
  const sealed = await sealHere(inputFor(file, 1, [{ y: 700 }]), file);
  expect((await pixelsAbove(sealed)).equals(await pixelsAbove(file))).toBe(true);
  expect([pdfText(file), pdfText(sealed)].map((shown) => shown.includes('Filled in'))).toEqual([false, true]);
});

test('pictures of a certified file have the values of its form', async () => {
  const file = await signedFile(formFile({ entries: `${text} ${withLook}`, looks: look() }), 'Earlier', 1);
  const sealed = await sealHere(inputFor(file, 1, [{ y: 700 }]), file);
  const document = openBytes(await loadPdfium(), sealed) as OpenDocument;
  const { pixels, width } = pagePixels(document, 1, 612);
  document.close();
  expect(pixels[(174 * width + 290) * 4]).toBeLessThan(50);
});

test('a value is seen over the form field that it was placed on', async () => {
  const file = formFile({ entries: `${text} ${withLook}`, looks: look('', 'x') });
  const sealed = await sealHere(inputFor(file, 1, [{ x: 72, y: 172, width: 228, height: 20 }]), file);
  expect((await pixelsAbove(sealed)).equals(await pixelsAbove(file))).toBe(false);
  // Chrome draws form fields above all other annotations.
  const kinds = inspect(sealed, 'qpdf', ['--qdf', '--object-streams=disable'], ['-']).match(
    /\/Subtype \/(Widget|Stamp)\b/g,
  );
  expect(kinds?.sort()).toEqual(['/Subtype /Stamp', '/Subtype /Stamp', '/Subtype /Widget']); // the seal's field is the last
});

test.each([
  '/AP << >>',
  '/AP << /N null >>',
  '/AP << /D 10001 0 R >>',
  '/AP << /N << >> >>',
  '/AP << /N << /On 10001 0 R >> >>',
  '/AP << /N 99999 0 R >>',
])('a file is sealed with a value on a form field whose appearance is incomplete: %s', async (without) => {
  for (const kind of [text, '/FT /Ch /T (rate) /V (Typed) /Opt [(Typed)]', '/FT /Btn /T (rate) /V /On']) {
    const file = formFile({ entries: `${kind} ${without}` });
    const sealed = await sealHere(inputFor(file, 1, [{ x: 60, y: 172, width: 150, height: 20 }]), file);
    expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
    expect(pdfText(sealed)).toMatch(/Blue +door/);
  }
});

/** Returns the annotations of the first page. */
async function annotationsIn(file: Uint8Array) {
  const pdf = await PDF.load(file);
  const [page] = readPages(pdf);
  if (page === undefined) throw new Error('no page');
  return annotationsOf(pdf, page.dict).map((dict) => ({ dict, flags: flagsOf(pdf, dict) }));
}

test.each(['Widget', 'FreeText', 'Square'])(
  'a %s without an appearance is printed only if it was shown',
  async (type) => {
    const layers = '/OCProperties << /OCGs [10002 0 R] /D << /OFF [10002 0 R] >> >>';
    const sealedFlags = async (flags: number) => {
      const field = type === 'Widget' ? text : '/Contents (Typed) /C [1 0 0]';
      const annotation = `<< /Type /Annot /Subtype /${type} /Rect [72 600 300 620] /F ${flags} /OC 10002 0 R /DA (/Helv 12 Tf 0 g) ${field} >>`;
      const file = makePdf({
        pages: [{ text: 'Rate:', entries: '/Annots [10000 0 R]' }],
        catalog: `${form()} ${layers}`,
        objects: [annotation, 'null', '<< /Type /OCG /Name (L) >>'],
      });
      const sealed = await sealHere(inputFor(file, 1, [{ y: 700 }]), file);
      expect((await pixelsAbove(sealed)).equals(await pixelsAbove(file))).toBe(true);
      const [first] = await annotationsIn(sealed);
      expect(first?.dict.has('OC')).toBe(false);
      return first?.flags;
    };
    expect([await sealedFlags(4 | 32), await sealedFlags(0)]).toEqual([2, 4]);
  },
);

test('a ticked box without a state stays ticked in every reader', async () => {
  const entries = '/FT /Btn /T (b) /V /Ja /AP << /N << /Ja 10001 0 R /Off 10002 0 R >> >>';
  const file = formFile({ entries, layer: look('', 'empty') });
  const shown = pdfText(await sealHere(inputFor(file, 1, [{ y: 700 }]), file));
  expect([shown.includes('Filled in'), shown.includes('empty')]).toEqual([true, false]);
});

/** Makes a page with an annotation whose appearance covers what is below it. */
function coveredPage(entries: string, page = ''): Buffer {
  return makePdf({
    pages: [{ text: 'Rate:', entries: `/Annots [10000 0 R] ${page}` }],
    objects: [
      `<< /Type /Annot /Rect [72 600 300 620] /AP << /N 10001 0 R >> ${entries} >>`,
      stream(
        '/Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources << /Font << /F1 3 0 R >> >>',
        Buffer.from('1 1 0.6 rg 0 0 228 20 re f BT 0 g /F1 12 Tf 2 5 Td (FORGED 999) Tj ET'),
      ),
    ],
  });
}

test('a pop-up with an appearance is never drawn', async () => {
  const file = coveredPage('/Subtype /Popup /F 4 /Open true');
  const plain = await sealHere(inputFor(file, 1, [{ x: 72, y: 172, width: 228, height: 20 }]), file);
  expect([pdfText(plain).includes('FORGED'), /Blue +door/.test(pdfText(plain))]).toEqual([false, true]);
});

test.each([
  ['a link', coveredPage('/Subtype /Link /F 4'), { x: 72, y: 172, width: 228, height: 20 }],
  [
    'a stamp that stays upright',
    coveredPage('/Subtype /Stamp /F 20', '/Rotate 90'),
    { x: 640, y: 74, width: 140, height: 16 },
  ],
])('a value is seen over %s', async (_, file, place) => {
  const sealed = await sealHere(inputFor(file, 1, [place]), file);
  expect((await pixelsAbove(sealed)).equals(await pixelsAbove(file))).toBe(false);
});

test.each([
  ['path', '0 0 20 20 re W'],
  ['text', 'BT /F1 24 Tf 7 Tr 72 720 Td (Rate:) Tj'],
])('values are stamps after content that ends within a %s', async (_, content) => {
  const file = makePdf({ pages: [{ content: { entries: '', bytes: Buffer.from(content) } }] });
  const input = inputFor(file, 1, [{}, { type: 'checkbox', value: 'true', y: 300 }]);
  const sealed = await sealHere({ ...input, language: 'es' }, file);
  const contents = (await annotationsIn(sealed)).map(({ dict }) => dict.getString('Contents')?.asString());
  expect(contents.slice(0, 2)).toEqual(['Blue door · Ana María Núñez', 'marcado · Ana María Núñez']);
});

test('a file that was locked when it was signed is embedded', async () => {
  const plain = await sampleFile(1, (pdf) => {
    const lock = PdfDict.of({ Type: PdfName.of('SigFieldLock'), Action: PdfName.of('All'), P: PdfNumber.of(1) });
    pdf.getOrCreateForm().createSignatureField('Earlier').getDict().set('Lock', lock);
  });
  const file = await signedFile(plain);
  const sealed = await sealHere(inputFor(file, 1, [{}]), file);
  expect((await openPdf(sealed)).attachment('attached.pdf')?.equals(file)).toBe(true);
});
