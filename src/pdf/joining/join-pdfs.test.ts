import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF, PdfDict } from '@libpdf/core';
import { expect, test } from 'vitest';
import { updatedHybrid } from '../../sealing/testing/prepared-files.ts';
import { annotationsOf, subtypeOf } from '../annotations.ts';
import { loadPdfium } from '../pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../pdfium/open-document.ts';
import { pagePixels } from '../pdfium/render-page.ts';
import { type FormPlan, form, formFile, look, text, withLook } from '../pdfium/testing/form-file.ts';
import { makePdf } from '../pdfium/testing/make-pdf.ts';
import { joinPdfs } from './join-pdfs.ts';

/** Joins a page and the given files. Returns the joined file. */
async function joined(...files: Buffer[]): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  try {
    const parts = await Promise.all(
      [makePdf(), ...files].map(async (file, index) => {
        const path = join(directory, `${index}.pdf`);
        writeFileSync(path, file);
        return { path, title: `${index}`, pageCount: (await PDF.load(file)).getPageCount() };
      }),
    );
    const output = join(directory, 'joined.pdf');
    expect(await joinPdfs(parts, output)).toEqual({ ok: true });
    return readFileSync(output);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function pixelsOf(file: Uint8Array, page: number): Promise<Buffer> {
  const document = openBytes(await loadPdfium(), file) as OpenDocument;
  try {
    return Buffer.from(pagePixels(document, page, 612).pixels);
  } finally {
    document.close();
  }
}

/** The page of a field, with other content than a line of text. */
const withContent = (content: string): FormPlan => ({ entries: `${text} ${withLook}`, content });

const states = `/FT /Btn /AP << /N << /Ja 10001 0 R /Off 10002 0 R >> >>`;
const layers = '/OCProperties << /OCGs [10002 0 R] /D << /OFF [10002 0 R] >> >>';
const layer = '<< /Type /OCG /Name (L) >>';

test.each<[string, FormPlan]>([
  ['a field', { entries: `${text} ${withLook}` }],
  ['an open state', withContent('BT /F1 24 Tf 72 720 Td (Rate:) Tj ET 0.5 0 0 0.5 0 0 cm q')],
  [
    'a state that ends twice',
    withContent('BT /F1 24 Tf 72 720 Td (Rate:) Tj ET 1 1 1 rg Q BT /F1 24 Tf 72 500 Td (Hidden) Tj ET'),
  ],
  [
    'a field of a hidden layer',
    { entries: `${text} /OC 10002 0 R ${withLook}`, catalog: `${form()} ${layers}`, layer },
  ],
  ['a ticked box', { entries: `${states} /V /Ja /AS /Ja`, layer: look('', 'empty') }],
  ['a box that isn’t ticked', { entries: `${states} /AS /Off`, layer: look('', 'empty') }],
  ['a box whose value is its state', { entries: `${states} /V /Ja`, layer: look('', 'empty') }],
  ['a rotated page', { entries: `${text} ${withLook}`, page: '/Rotate 90' }],
  ['a rotated field', { entries: `${text} ${withLook}`, looks: look('/Matrix [0 1 -1 0 0 0]') }],
  ['an old look', { entries: `${text} ${withLook}`, catalog: form('/NeedAppearances true') }],
  ['a field outside of the form', { entries: `${text} ${withLook}`, catalog: '' }],
  ['a hidden field', { entries: `${text} ${withLook}`, flags: 2 }],
  ['a field that only prints', { entries: `${text} ${withLook}`, flags: 4 | 32 }],
])('a joined page looks as before: %s', async (_, plan) => {
  const file = formFile(plan);
  expect((await pixelsOf(await joined(file), 2)).equals(await pixelsOf(file, 1))).toBe(true);
});

test('the fields of pages with shared resources keep their own looks', async () => {
  const widget = (appearance: number) =>
    `<< /Type /Annot /Subtype /Widget ${text} /Rect [72 600 300 620] /AP << /N ${appearance} 0 R >> >>`;
  const file = makePdf({
    pages: [10_000, 10_001].map((field) => ({ resources: '10004 0 R', entries: `/Annots [${field} 0 R]` })),
    catalog: '/AcroForm << /Fields [10000 0 R 10001 0 R] >>',
    objects: [widget(10_002), widget(10_003), look('', 'First'), look('', 'Second'), '<< /Font << /F1 3 0 R >> >>'],
  });
  const together = await joined(file);
  for (const page of [1, 2]) {
    expect((await pixelsOf(together, page + 1)).equals(await pixelsOf(file, page))).toBe(true);
  }
});

test('fields become annotations that are no fields', async () => {
  const pdf = await PDF.load(await joined(formFile({ entries: `${text} /AA << >> ${withLook}` })));
  const [stamp] = pdf.getPage(1)?.getAnnotations() ?? [];
  expect(stamp?.type).toBe('Stamp');
  expect([...(stamp?.dict.keys() ?? [])].map(({ value }) => value).sort()).toEqual([
    'AP',
    'F',
    'Rect',
    'Subtype',
    'Type',
  ]);
  expect(pdf.getForm()).toBeNull();
});

test('pop-ups with a drawing of their own, which PDFium never shows, are left out', async () => {
  const page = { entries: '/Annots [10000 0 R 10002 0 R]' };
  const note = '/Rect [72 600 300 620] /F 4 /AP << /N 10001 0 R >>';
  const popup = `<< /Type /Annot /Subtype /Popup ${note} >>`;
  const file = await joined(makePdf({ pages: [page], objects: [popup, look(), popup.replace('/Popup', '/Stamp')] }));
  const pdf = await PDF.load(file);
  const kinds = annotationsOf(pdf, pdf.getPage(1)?.dict ?? new PdfDict()).map((dict) => subtypeOf(pdf, dict));
  expect(kinds).toEqual(['Stamp']);
});

test('a page is joined as its last update shows it, also of a hybrid file', async () => {
  const file = updatedHybrid();
  expect((await pixelsOf(await joined(file), 2)).equals(await pixelsOf(file, 1))).toBe(true);
});
