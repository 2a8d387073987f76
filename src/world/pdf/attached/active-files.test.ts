import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPdf } from '../reading/open-pdf.ts';
import {
  activeFiles,
  disputedLayer,
  flaggedFile,
  openingPlace,
  removedParts,
  withScript,
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

/** The second page on the screen, as poppler shows it. PDFium compared it while the file was sealed. */
const shown = (pdf: Buffer) => inspect(pdf, 'pdftoppm', ['-r', '36', '-gray', '-f', '2', '-l', '2']);
/** The text of the second page in print. */
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

/** Readable, without the objects of earlier revisions. */
const plain = (pdf: Buffer) =>
  inspect(pdf, 'qpdf', ['--qdf', '--object-streams=disable', '--no-original-object-ids'], ['-']);

test.each(Object.entries(activeFiles))('a page shows the same before and after: %s', async (_, make) => {
  const file = make();
  const sealed = await seal(file);
  expect(await mannerOf(sealed)).toBe('pages');
  expect(shown(sealed)).toBe(shown(file));
});

test.each(Object.entries(removedParts))('sealing removes %s', async (_, [make, sign]) => {
  const file = make();
  const sealed = await seal(file);
  expect(plain(file)).toMatch(sign);
  expect(await mannerOf(sealed)).toBe('pages');
  expect(plain(sealed)).not.toMatch(sign);
});

test.each([
  ['shown and printed', 4, true],
  ['shown and not printed', 0, true],
  ['printed and not shown', 4 + 32, false],
  ['hidden', 2 + 4, false],
])('annotations are printed as they are shown: %s', async (_, flags, isShown) => {
  const sealed = await seal(flaggedFile(flags));
  expect(await mannerOf(sealed)).toBe('pages');
  const text = printed(sealed);
  expect([text.includes('Price:100dollars'), text.includes('Annotation')]).toEqual([true, isShown]);
});

test('a layer is in every reader as the recipients saw it', async () => {
  const file = disputedLayer();
  const text = (pdf: Buffer) => inspect(pdf, 'pdftotext', ['-f', '2', '-l', '2'], ['-']);
  expect(text(file)).toContain('Layer');
  expect(text(await seal(file))).not.toContain('Layer');
});

test('a signed file with scripts is embedded, one that only names a place to open at is not', async () => {
  expect(await mannerOf(await seal(await signedFile(withScript())))).toBe('enclosed');
  expect(await mannerOf(await seal(await signedFile(openingPlace())))).toBe('signed');
});
