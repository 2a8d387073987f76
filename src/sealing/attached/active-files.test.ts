import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPdf } from '../../pdf/reading/open-pdf.ts';
import {
  activeFile,
  changingLayer,
  disputedLayer,
  flaggedFile,
  keptMarks,
  namingFiles,
  openingPlace,
  removedParts,
  withBookmark,
} from '../testing/active-files.ts';
import { typedPrice } from '../testing/prepared-files.ts';
import { inputFor, signedFile } from '../testing/sample-files.ts';
import { sealHere } from '../testing/seal-here.ts';
import { inspect, temporaryDirectory } from '../testing/tools.ts';

const inputOf = (file: Buffer) =>
  inputFor(file, 2, [
    { value: typedPrice, y: 700 },
    { type: 'signature', value: 'true', y: 740 },
  ]);
const seal = (file: Buffer) => sealHere(inputOf(file), file);

/** Renders the second page with poppler. Sealing compared it with PDFium. */
const shown = (pdf: Buffer) => inspect(pdf, 'pdftoppm', ['-r', '36', '-gray', '-f', '2', '-l', '2']);
/** Returns the text of the second page as printed. */
function printed(pdf: Buffer): string {
  const output = join(temporaryDirectory(), 'printed.pdf');
  inspect(pdf, 'pdftocairo', ['-pdf', '-f', '2', '-l', '2'], [output]);
  return inspect(readFileSync(output), 'pdftotext', [], ['-']).replaceAll(' ', '');
}

async function mannerOf(sealed: Buffer): Promise<string> {
  const opened = await openPdf(sealed);
  const own = opened.signatures.find(({ name }) => name === 'Northwind Builders LLC');
  return JSON.parse(String(own?.attachment('file.json') ?? opened.attachment('file.json'))).manner;
}

/** Returns the PDF as readable text, without the objects of earlier revisions. */
const plain = (pdf: Buffer) =>
  inspect(pdf, 'qpdf', ['--qdf', '--object-streams=disable', '--no-original-object-ids'], ['-']);

let sealedOnce: Promise<{ before: string; after: string; manner: string }> | undefined;
/** Returns the file with all active parts before and after sealing. The tests of each part share it. */
function activeParts() {
  sealedOnce ??= seal(activeFile()).then(async (sealed) => {
    return { before: plain(activeFile()), after: plain(sealed), manner: await mannerOf(sealed) };
  });
  return sealedOnce;
}

test.each(Object.entries(removedParts))('sealing removes %s', async (_, sign) => {
  const { before, after, manner } = await activeParts();
  expect([before.includes(sign), after.includes(sign), manner]).toEqual([true, false, 'pages']);
});

test('sealing does not move annotations when it removes their actions', async () => {
  const places = ({ before, after }: Record<'before' | 'after', string>) =>
    [before, after].map((text) => text.split('72.1234567').length);
  const [before, after] = places(await activeParts());
  expect(before).toBeGreaterThan(10);
  expect(after).toBe(before);
});

test('sealing keeps links and bookmarks to destinations and web addresses', async () => {
  const { before, after } = await activeParts();
  for (const mark of keptMarks) expect([mark, before.includes(mark), after.includes(mark)]).toEqual([mark, true, true]);
});

test.each(Object.entries(namingFiles))('sealing adds to no page: %s', async (_, make) => {
  const file = make();
  const sealed = await seal(file);
  expect(await mannerOf(sealed)).toBe('pages');
  expect(shown(sealed)).toBe(shown(file));
});

test.each([
  ['shown and not printed', 0, true],
  ['printed and not shown', 4 + 32, false],
])('annotations print as they show on screen: %s', async (_, flags, isShown) => {
  const sealed = await seal(flaggedFile(flags));
  expect(await mannerOf(sealed)).toBe('pages');
  const text = printed(sealed);
  expect([text.includes('Price:100dollars'), text.includes('Annotation')]).toEqual([true, isShown]);
});

test('every reader shows a layer as the recipients saw it', async () => {
  const file = disputedLayer();
  const text = (pdf: Buffer) => inspect(pdf, 'pdftotext', ['-f', '2', '-l', '2'], ['-']);
  expect(text(file)).toContain('Layer');
  expect(text(await seal(file))).not.toContain('Layer');
});

test('sealing removes automatic layers and alternative layer configurations', async () => {
  const signs = (pdf: Buffer) => ['/Event', '/Configs'].map((sign) => plain(pdf).includes(sign));
  expect(signs(changingLayer())).toEqual([true, true]);
  expect(signs(await seal(changingLayer()))).toEqual([false, false]);
});

test.each<[string, () => Buffer, string]>([
  ['a script in a bookmark', () => withBookmark('/S /JavaScript /JS (x)'), 'enclosed'],
  ['a bookmark to a place', () => withBookmark('/S /GoTo /D [12 0 R /Fit]'), 'signed'],
  ['a place to open at', openingPlace, 'signed'],
])('a signed file is embedded only when it has active parts: %s', async (_, make, expected) => {
  expect(await mannerOf(await seal(await signedFile(make())))).toBe(expected);
});
