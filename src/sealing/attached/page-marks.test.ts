import { createHash } from 'node:crypto';
import { PdfNumber } from '@libpdf/core';
import { expect, test } from 'vitest';
import { firstFreeObject, makePdf } from '../../pdf/pdfium/testing/make-pdf.ts';
import { openPdf } from '../../pdf/reading/open-pdf.ts';
import type { SealInput } from '../seal-input.ts';
import { inputFor, sampleFile, signedFile } from '../testing/sample-files.ts';
import { inspect, pdfText, testWorker } from '../testing/tools.ts';

const testMark = 'TEST MODE · NOT A REAL SIGNATURE';

function marked(input: SealInput, marks: { isTest?: boolean; printsId?: boolean }): SealInput {
  return { ...input, document: { ...input.document, ...marks } };
}

async function mannerOf(sealed: Buffer): Promise<string> {
  const opened = await openPdf(sealed);
  const found =
    opened.signatures.find(({ name }) => name === 'Northwind Builders LLC')?.attachment('file.json') ??
    opened.attachment('file.json');
  return JSON.parse(String(found)).manner;
}

/** The text of each page without the one that follows the last form feed. */
const pagesOf = (pdf: Buffer) => pdfText(pdf).split('\f').slice(0, -1);

function expectValid(pdf: Buffer, signatures = 1): void {
  const found = inspect(pdf, 'pdfsig').match(/Signature Validation: Signature is Valid\./g) ?? [];
  expect(found).toHaveLength(signatures);
  expect(inspect(pdf, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
}

test('every page of a file says that it is a test, and has the id if the company wants it', async () => {
  const file = await sampleFile(3);
  const input = inputFor(file, 3, [{ value: 'Blue door' }]);
  const sealed = await (await testWorker()).seal(marked(input, { isTest: true, printsId: true }), file);
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
  expect(await mannerOf(sealed)).toBe('pages');
  expectValid(sealed);
  const pages = pagesOf(sealed);
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    expect(page).toContain(testMark);
    expect(page).toContain(input.document.id);
  }
  expect(pages[0]).toMatch(/Clause 1[\s\S]*Blue door/);
  expect(pages[2]).toContain('Clause 3');

  const live = pagesOf(await (await testWorker()).seal(input, file))
    .slice(0, 3)
    .join();
  expect(live).not.toContain('TEST MODE');
  expect(live).not.toContain(input.document.id);
});

test('marks and values are seen after content that leaves a hidden layer open', async () => {
  const line = (text: string, y: number) => `BT /F1 18 Tf 72 ${y} Td (${text}) Tj ET`;
  const content = `${line('Terms', 700)} q /OC /L BDC /Span BMC ${line('Layer', 600)}`;
  const file = makePdf({
    catalog: `/OCProperties << /OCGs [${firstFreeObject} 0 R] /D << /OFF [${firstFreeObject} 0 R] >> >>`,
    pages: [
      {
        entries: `/Resources << /Font << /F1 3 0 R >> /Properties << /L ${firstFreeObject} 0 R >> >>`,
        content: { entries: '', bytes: Buffer.from(content) },
      },
    ],
    objects: ['<< /Type /OCG /Name (L) >>'],
  });
  const input = inputFor(file, 1, [{ value: 'Blue door' }]);
  const sealed = await (await testWorker()).seal(marked(input, { isTest: true }), file);
  expect(await mannerOf(sealed)).toBe('pages');
  const [page] = pagesOf(sealed);
  expect(page).toContain(testMark);
  expect(page).toContain('Blue door');
  expect(page).not.toContain('Layer');
});

test('a file without fields is marked too, in its language, also on rotated, cropped and tiny pages', async () => {
  const file = await sampleFile(4, (pdf) => {
    pdf.getPages().forEach(({ dict }, index) => {
      if (index === 1) dict.set('Rotate', PdfNumber.of(90));
      if (index === 2) dict.set('Rotate', PdfNumber.of(180));
      if (index === 3) {
        const box = dict.getArray('MediaBox');
        box?.set(2, PdfNumber.of(60));
        box?.set(3, PdfNumber.of(40));
      }
    });
  });
  const input = marked({ ...inputFor(file, 4), language: 'es' }, { isTest: true, printsId: true });
  const sealed = await (await testWorker()).seal(input, file);
  expect(await mannerOf(sealed)).toBe('pages');
  expectValid(sealed);
  for (const page of pagesOf(sealed)) {
    expect(page.replace(/\s+/g, ' ')).toContain('MODO DE PRUEBA · NO ES UNA FIRMA REAL');
    expect(page).toContain(input.document.id);
  }
});

test('a signed file gets the marks as stamps, and its own signature stays valid', async () => {
  const file = await signedFile(await sampleFile(2));
  const input = marked(inputFor(file, 2, [{ value: 'Blue door' }]), { isTest: true, printsId: true });
  const sealed = await (await testWorker()).seal(input, file);
  expect(await mannerOf(sealed)).toBe('signed');
  expectValid(sealed, 2);
  for (const page of pagesOf(sealed)) {
    expect(page).toContain(testMark);
    expect(page).toContain(input.document.id);
  }
});

test('a file whose signature allows no stamps is embedded in a test, and only goes without the id else', async () => {
  const file = await signedFile(await sampleFile(1), 'Earlier', 2);
  const worker = await testWorker();
  const tested = await worker.seal(marked(inputFor(file, 1), { isTest: true }), file);
  expect(await mannerOf(tested)).toBe('enclosed');
  for (const page of pagesOf(tested)) expect(page).toContain(testMark);
  const live = await worker.seal(marked(inputFor(file, 1), { printsId: true }), file);
  expect(await mannerOf(live)).toBe('signed');
  expect(pdfText(live)).toContain('Clause 1');
  expect(pdfText(live)).not.toContain(inputFor(file, 1).document.id);
});

test('a long file is marked on its own pages', async () => {
  const file = await sampleFile(400);
  const input = marked(inputFor(file, 400), { isTest: true });
  const sealed = await (await testWorker()).seal(input, file);
  expect(await mannerOf(sealed)).toBe('pages');
  expect(sealed.length - file.length).toBeLessThan(file.length + 400_000);
  const pages = pagesOf(sealed);
  expect(pages.filter((page) => page.includes(testMark))).toHaveLength(pages.length);
  expect(createHash('sha256').update(sealed.subarray(0, file.length)).digest('hex')).toBe(input.document.file?.sha256);
});
