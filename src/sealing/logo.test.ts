import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleJpeg, samplePng } from '../../test/support/sample-logo.ts';
import { inputFor, sampleFile } from './testing/sample-files.ts';
import { sampleInput, sampleRecipient } from './testing/sample-input.ts';
import { makePng } from './testing/sample-png.ts';
import { inspect, pdfText, temporaryDirectory, testWorker } from './testing/tools.ts';

const png = (bytes: Buffer) => ({ type: 'png' as const, bytes: bytes.toString('base64') });

/** One typed signature, so that the logo is the only picture. */
const withLogo = (logo: ReturnType<typeof sampleInput>['logo']) =>
  sampleInput({ logo, recipients: [sampleRecipient(1, { name: 'Ada Lovelace' })] });

function expectSound(pdf: Uint8Array): void {
  expect(inspect(pdf, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(inspect(pdf, 'pdfsig')).toContain('Signature Validation: Signature is Valid.');
}

/** Returns kind, size, colours and encoding of each picture, and its page. */
function picturesOf(pdf: Uint8Array): string[] {
  const lines = inspect(pdf, 'pdfimages', ['-list']).trim().split('\n').slice(2);
  return lines.map((line) => {
    const [page, , kind, width, height, colour, , , encoding] = line.trim().split(/\s+/);
    return `${page} ${kind} ${width}×${height} ${colour} ${encoding}`;
  });
}

/** Returns the colour of a point of a page, in points from the top left corner. */
function colourAt(pdf: Uint8Array, page: number, x: number, y: number): number[] {
  const file = join(temporaryDirectory(), 'file.pdf');
  writeFileSync(file, pdf);
  const [at, out] = [String(page), join(temporaryDirectory(), 'page')];
  const area = ['-x', String(x), '-y', String(y), '-W', '1', '-H', '1'];
  execFileSync('pdftoppm', ['-r', '72', '-f', at, '-l', at, '-singlefile', ...area, file, out]);
  return [...readFileSync(`${out}.ppm`).subarray(-3)];
}

const row = (length: number, value: number) => Buffer.concat([Buffer.from([0]), Buffer.alloc(length, value)]);
const rows = (length: number, value: number) => Buffer.concat(Array.from({ length: 16 }, () => row(length, value)));

test.each([
  ['an opaque PNG', png(samplePng()), ['2 image 120×40 rgb image'], [29, 99, 216]],
  [
    'a half transparent PNG',
    png(samplePng({ rgba: [200, 0, 0, 128] })),
    ['2 image 120×40 rgb image', '2 smask 120×40 gray image'],
    [227, 127, 127],
  ],
  [
    'a PNG with a palette',
    png(
      makePng({
        width: 16,
        height: 16,
        colourType: 3,
        rows: rows(16, 1),
        extra: [['PLTE', Buffer.from([0, 0, 0, 10, 200, 30])]],
      }),
    ),
    ['2 image 16×16 rgb image'],
    [10, 200, 30],
  ],
  [
    'a grey PNG of 16 bits',
    png(makePng({ width: 16, height: 16, colourType: 0, bitDepth: 16, rows: rows(32, 0x80) })),
    ['2 image 16×16 rgb image'],
    [128, 128, 128],
  ],
] as const)('the certificate shows %s at its top, and is sound', async (_name, logo, pictures, colour) => {
  const pdf = await (await testWorker()).seal(withLogo(logo));
  expectSound(pdf);
  expect(picturesOf(pdf)).toEqual(pictures);
  for (const [i, channel] of colourAt(pdf, 2, 46, 60).entries()) {
    expect(Math.abs(channel - (colour[i] ?? 0))).toBeLessThanOrEqual(2);
  }
});

test('a JPEG is embedded as it is', async () => {
  const pdf = await (await testWorker()).seal(withLogo({ type: 'jpeg', bytes: sampleJpeg.toString('base64') }));
  expectSound(pdf);
  expect(picturesOf(pdf)).toEqual(['2 image 24×10 rgb jpeg']);
});

test('the certificate behind an attached file has the logo, and the file has not', async () => {
  const file = await sampleFile(2);
  const pdf = await (await testWorker()).seal({ ...inputFor(file, 2), logo: png(samplePng()) }, file);
  expectSound(pdf);
  expect(picturesOf(pdf).filter((picture) => picture.includes('120×40'))).toEqual(['3 image 120×40 rgb image']);
});

test('a logo that cannot be drawn does not keep a document from being sealed', async () => {
  for (const type of ['png', 'jpeg'] as const) {
    const pdf = await (await testWorker()).seal(withLogo({ type, bytes: Buffer.from('damaged').toString('base64') }));
    expectSound(pdf);
    expect(picturesOf(pdf)).toEqual([]);
    expect(pdfText(pdf)).toContain('Certificate of completion');
  }
});

test('without a logo the certificate is as it was', async () => {
  const pdf = await (await testWorker()).seal(withLogo(null));
  expect(picturesOf(pdf)).toEqual([]);
});
