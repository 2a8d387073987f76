import { readFileSync } from 'node:fs';
import { brotliDecompressSync, deflateSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { loadPdfium, type Pdfium } from './load-pdfium.ts';
import { type OpenDocument, openBytes } from './open-document.ts';
import { pagePixels } from './render-page.ts';
import { readShownText } from './shown-text.ts';
import { appearance, type FormPlan, form, formFile, look, text, withLook } from './testing/form-file.ts';
import { firstFreeObject, makePdf, stream } from './testing/make-pdf.ts';

let pdfium: Pdfium;
beforeAll(async () => {
  pdfium = await loadPdfium();
});

/** Returns the lines of the first page, and how many of its pixels inside the field are dark. Both twice, in turn. */
function shown(file: Buffer): { lines: string[]; dark: number } {
  const document = openBytes(pdfium, file) as OpenDocument;
  try {
    const linesNow = () => readShownText(document, 1).lines.map((line) => line.text);
    const [lines, dark] = [linesNow(), darkInField(document)];
    expect([linesNow(), darkInField(document)]).toEqual([lines, dark]);
    return { lines, dark };
  } finally {
    document.close();
  }
}

function darkInField(document: OpenDocument): number {
  const { pixels, width } = pagePixels(document, 1, 612);
  let dark = 0;
  for (let y = 172; y < 192; y += 1)
    for (let x = 72; x < 300; x += 1) if ((pixels[(y * width + x) * 4] ?? 255) < 128) dark += 1;
  return dark;
}

const covered = 4000;

test.each<[string, FormPlan]>([
  ['a text field', { entries: `${text} ${withLook}` }],
  ['a field that is not in the form', { entries: `${text} ${withLook}`, catalog: '/AcroForm << /Fields [] >>' }],
  ['a field of a file without a form', { entries: `${text} ${withLook}`, catalog: '' }],
  ['a broken form', { entries: `${text} ${withLook}`, catalog: '/AcroForm [1 2 (3)]' }],
  ['a form of two kinds', { entries: `${text} ${withLook}`, catalog: form('/XFA [(template) 4 0 R]') }],
  ['a value that readers would draw again', { entries: `${text} ${withLook}`, catalog: form('/NeedAppearances true') }],
  ['a box that is ticked', { entries: `/FT /Btn /T (t) /V /On /AS /On /AP << /N << /On ${appearance} 0 R >> >>` }],
  ['a visible signature', { entries: `/FT /Sig /T (s) ${withLook}` }],
  ['a button', { entries: `/FT /Btn /Ff 65536 /T (b) ${withLook}` }],
  ['a turned appearance', { entries: `${text} ${withLook}`, looks: look('/Matrix [0 1 -1 0 20 0]') }],
])('a page is shown and read with %s', (_, plan) => {
  const { lines, dark } = shown(formFile(plan));
  expect(dark).toBeGreaterThan(covered);
  expect(lines).toEqual(['Rate:', 'Filled in']);
});

test.each<[string, FormPlan]>([
  ['a hidden field', { entries: `${text} ${withLook}`, flags: 2 }],
  ['a field that is only printed', { entries: `${text} ${withLook}`, flags: 4 | 32 }],
  [
    'a box that is not ticked',
    { entries: `/FT /Btn /T (t) /V /Off /AS /Off /AP << /N << /On ${appearance} 0 R >> >>` },
  ],
  ['a signature field without a look', { entries: '/FT /Sig /T (s)' }],
])('a page is shown and read without %s', (_, plan) => {
  expect(shown(formFile(plan))).toEqual({ lines: ['Rate:'], dark: 0 });
});

test.each(['', '/AP << >>'])('a value without an appearance is shown and read: %j', (without) => {
  for (const catalog of [form(), form('/NeedAppearances true')]) {
    const { lines, dark } = shown(formFile({ entries: `${text} ${without}`, catalog }));
    expect(dark).toBeGreaterThan(10);
    expect(dark).toBeLessThan(covered);
    expect(lines).toEqual(['Rate:', 'Typed']);
  }
});

test('a password without an appearance is not read', () => {
  expect(shown(formFile({ entries: `${text} /Ff 8192` })).lines).toEqual(['Rate:']);
});

test('the value of a field has its place on the page, also when the page is turned', () => {
  for (const [page, place] of [
    ['', { x: 74, y: 177, width: 40, height: 11 }],
    ['/Rotate 90', { x: 600, y: 72, width: 20, height: 228 }],
  ] as const) {
    const document = openBytes(pdfium, formFile({ entries: `${text} ${withLook}`, page })) as OpenDocument;
    const line = readShownText(document, 1).lines.find((one) => one.text === 'Filled in');
    document.close();
    for (const [side, value] of Object.entries(place))
      expect(Math.abs((line?.[side as 'x'] ?? 0) - value), `${side} ${line?.[side as 'x']}`).toBeLessThan(3);
  }
});

type Pair = [opening: string, closing: string];
const handles: Pair[] = [
  ['FPDF_LoadCustomDocument', 'FPDF_CloseDocument'],
  ['EPDFAnnot_ExportAppearanceAsDocument', 'FPDF_CloseDocument'],
  ['FPDF_LoadPage', 'FPDF_ClosePage'],
  ['FPDFText_LoadPage', 'FPDFText_ClosePage'],
  ['FPDFPage_GetAnnot', 'FPDFPage_CloseAnnot'],
  ['FPDFBitmap_Create', 'FPDFBitmap_Destroy'],
  ['PDFiumExt_OpenFormFillInfo', 'PDFiumExt_CloseFormFillInfo'],
  ['PDFiumExt_InitFormFillEnvironment', 'PDFiumExt_ExitFormFillEnvironment'],
];
const allocations: Pair[] = [
  ['allocate', 'free'],
  ['addCallback', 'removeCallback'],
];

/** Returns a copy of an object with functions that note in `open` what is open, and in `used` which of them were called. */
function watched<Target extends object>(
  target: Target,
  pairs: readonly Pair[],
  open: Set<string>,
  used: Set<string>,
): Target {
  const functions = target as Record<string, (...values: unknown[]) => unknown>;
  const watching = pairs.flatMap(([opening, closing]) => [
    [
      opening,
      (...values: unknown[]) => {
        const handle = functions[opening]?.(...values);
        used.add(opening);
        if (handle !== 0) open.add(`${closing} ${handle}`);
        return handle;
      },
    ],
    [
      closing,
      (handle: unknown) => {
        open.delete(`${closing} ${handle}`);
        return functions[closing]?.(handle);
      },
    ],
  ]);
  return { ...target, ...Object.fromEntries(watching) };
}

test('everything that is opened to show and read values is closed', () => {
  const [open, used] = [new Set<string>(), new Set<string>()];
  const memory = watched(pdfium.memory, allocations, open, used);
  const watching = { ...watched(pdfium, handles, open, used), memory };
  for (const entries of [`${text} ${withLook}`, text]) {
    const document = openBytes(watching, formFile({ entries })) as OpenDocument;
    pagePixels(document, 1, 50);
    readShownText(document, 1);
    document.close();
  }
  expect([...open]).toEqual([]);
  expect([...used].sort()).toEqual([...handles, ...allocations].map(([opening]) => opening).sort());
});

test('all values of a form with a large font are read in little time', () => {
  const font = brotliDecompressSync(readFileSync('assets/fonts/DroidSansFallbackFull.ttf.br'));
  const number = (index: number) => firstFreeObject + index;
  const values = Array.from({ length: 300 }, (_, index) => `Value ${index}`);
  const fields = values.map((_, index) => `${number(2 + 2 * index)} 0 R`).join(' ');
  const file = makePdf({
    pages: [{ entries: `/Annots [${fields}]` }],
    catalog: `/AcroForm << /Fields [${fields}] >>`,
    objects: [
      `<< /Type /Font /Subtype /TrueType /BaseFont /Droid /Encoding /WinAnsiEncoding
      /FirstChar 32 /LastChar 126 /Widths [${'600 '.repeat(95)}]
      /FontDescriptor << /FontName /Droid /Flags 32 /FontFile2 ${number(1)} 0 R >> >>`,
      stream(`/Length1 ${font.length} /Filter /FlateDecode`, deflateSync(font)),
      ...values.flatMap((value, index) => {
        const [x, y] = [20 + (index % 11) * 52, 770 - Math.floor(index / 11) * 9];
        const place = `/Rect [${x} ${y} ${x + 50} ${y + 8}] /AP << /N ${number(3 + 2 * index)} 0 R >>`;
        const entries = `/BBox [0 0 50 8] /Resources << /Font << /F1 ${firstFreeObject} 0 R >> >>`;
        return [
          `<< /Subtype /Widget /FT /Tx /T (f${index}) /V (${value}) ${place} >>`,
          stream(`/Type /XObject /Subtype /Form ${entries}`, Buffer.from(`BT /F1 8 Tf 2 2 Td (${value}) Tj ET`)),
        ];
      }),
    ],
  });
  const document = openBytes(pdfium, file) as OpenDocument;
  const start = process.cpuUsage();
  const lines = readShownText(document, 1).lines.map((line) => line.text);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
  expect(lines).toEqual(expect.arrayContaining(values));
  document.close();
});
