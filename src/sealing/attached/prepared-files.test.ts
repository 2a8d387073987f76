import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPdf } from '../../pdf/reading/open-pdf.ts';
import { highestNumber } from '../../pdf/strict/highest-number.ts';
import {
  changingPage,
  hiddenReferences,
  preparedFiles,
  typedPrice,
  unusualFont,
  updatedHybrid,
} from '../testing/prepared-files.ts';
import { inputFor } from '../testing/sample-files.ts';
import { sealHere } from '../testing/seal-here.ts';
import { inspect, testWorker } from '../testing/tools.ts';
import { firstChangedPage } from './first-changed-page.ts';

/** Renders a page with poppler. */
function shown(pdf: Uint8Array, page: number): string {
  return inspect(pdf, 'pdftoppm', ['-r', '36', '-gray', '-f', `${page}`, '-l', `${page}`]);
}

/** Makes an input in which a recipient typed drawing operators and signed, both at the bottom of the first page. */
function inputOf(file: Buffer) {
  const input = inputFor(file, 2, [
    { value: typedPrice, y: 700 },
    { type: 'signature', value: 'true', y: 740 },
  ]);
  const values = { name: 'values.json', mediaType: 'application/json', description: 'Values' };
  const bytes = Buffer.from(JSON.stringify([{ value: typedPrice, unusualFont }])).toString('base64');
  return { ...input, attachments: [...input.attachments, { ...values, bytes }] };
}

const hidden: (typeof preparedFiles)[number] = ['an object stream with `obj` in a string', hiddenReferences];

test.each([...preparedFiles, hidden])('no object of the seal becomes part of a page: %s', async (_, make) => {
  const file = make();
  const sealed = await sealHere(inputOf(file), file);
  expect(shown(sealed, 2)).toBe(shown(file, 2));
  expect(inspect(sealed, 'pdfsig')).toContain('Signature is Valid');
  expect(above(shown(sealed, 1))).toBe(above(shown(file, 1)));
});

/** Returns the part of a page above the fields. */
function above(pixels: string): string {
  return pixels.slice(0, 60_000);
}

test.each([{}, { isTest: true }, { printsId: true }])('sealing fails when a page changes: %j', async (marks) => {
  const file = changingPage();
  const input = inputOf(file);
  Object.assign(input.document, marks);
  await expect((await testWorker()).seal(input, file)).rejects.toMatchObject({
    name: 'ChangedPageError',
    page: 2,
  });
});

test('sealing succeeds when PDFium renders a page differently the first time', async () => {
  const file = unusualFont();
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
});

test('a file with a changing page can be embedded unchanged', async () => {
  const file = changingPage();
  const input = inputOf(file);
  if (input.document.file !== null) input.document.file.isEmbedded = true;
  const sealed = await sealHere(input, file);
  expect((await openPdf(sealed)).attachment('attached.pdf')?.equals(file)).toBe(true);
});

test('a file is embedded unchanged when libpdf reads its pages as they were before an update', async () => {
  const file = updatedHybrid();
  const sealed = await sealHere(inputFor(file, 1, [{}]), file);
  expect((await openPdf(sealed)).attachment('attached.pdf')?.equals(file)).toBe(true);
});

test('a comparison reports that it ran out of time', async () => {
  const file = changingPage();
  expect(await firstChangedPage(file, file, [null, null])).toBe(null);
  expect(await firstChangedPage(file, file, [null, null], 0)).toBe('late');
  const other = preparedFiles[0]?.[1]() ?? file;
  expect(
    await firstChangedPage(other, Buffer.from(other.toString('latin1').replace('Terms', 'Terns'), 'latin1'), [
      null,
      null,
    ]),
  ).toBe(1);
});

test.each<[string, number | null]>([
  ['5 0 obj << /A 120 0 R >> endobj', 120],
  ['[ 4 0 R 77%\r\n65535%x\n\0R ]', 77],
  ['[ 0000000321 0 R 12.0 0 R ]', 321],
  ['[ 4294967396 0 R ]', 100],
  ['[ 99999999999999999999 0 R 9 0 R ]', 9],
  [`[ 78 %${'x'.repeat(5000)}\n0 %\n%\rR ]`, 78],
  [`[ (50%) 79 0 R 3 0 R ]`, 79],
  [`[ 5000+0 0 R 12.${'0'.repeat(40)} 0 R ]`, 5000],
  [`[ ${'0'.repeat(251)}80009999 0 R ]`, 8000],
  ['[ 81\x800\xffR ]', 81],
  ['trailer << /Size 44 >>', 44],
  [`1 0 obj << /Type /ObjStm /N 1 /First 5 /X (${'x'.repeat(9000)}) >> stream\n88 0 [93 0 R]\nendstream`, 93],
  ...['(obj)', '(endobj)', '(stream)', '<</First 9 /N 8>>', '(\\)endobj)'].map((value): [string, number] => [
    objectStream(`/X ${value}`, '[99 0 R]'),
    99,
  ]),
  ...[
    '%obj\n',
    '%1 0 obj endobj\n',
    '/X (1 0 obj)',

    '/X <2> endobj',
    '/X [ 1 >> stream',
    '1 stream',
    '/Filter 5 0 R',
  ].map((entries): [string, null] => [objectStream(entries, '[99 0 R]'), null]),
  ['1 0 obj << /Type /ObjStm /N 1 /First 5 >> stream\n88 0 [91 0 R]\nendstream', 91],
])('the highest object number in a file: %j', (text, highest) => {
  const number = () => highestNumber(Buffer.from(text, 'latin1'));
  if (highest === null) expect(number).toThrow();
  else expect(number()).toBe(highest);
});

/** Makes a compressed object stream whose data contains `endstream`. */
function objectStream(entries: string, held: string): string {
  const data = deflateSync(Buffer.from(`88 0 endstream endobj ${held}`), { level: 0 }).toString('latin1');
  return `1 0 obj << ${entries} /Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length ${data.length} >> stream\n${data}\nendstream endobj`;
}
