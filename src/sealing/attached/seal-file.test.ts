import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream } from '@libpdf/core';
import { expect, onTestFinished, test } from 'vitest';
import { loadPdfium } from '../../pdf/pdfium/load-pdfium.ts';
import { type OpenDocument, openBytes } from '../../pdf/pdfium/open-document.ts';
import { pagePixels } from '../../pdf/pdfium/render-page.ts';
import { type OpenedPdf, openPdf } from '../../pdf/reading/open-pdf.ts';
import { plainPdf } from '../../pdf/strict/testing/updated-pdf.ts';
import { inputFor, sampleFile, signedFile } from '../testing/sample-files.ts';
import { drawnSignature } from '../testing/sample-png.ts';
import { inspect, pdfText, temporaryDirectory, testWorker } from '../testing/tools.ts';
import { startTsa } from '../testing/tsa-server.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function factsOf(sealed: Buffer) {
  const opened = await openPdf(sealed);
  const found = ours(opened)?.attachment('file.json') ?? opened.attachment('file.json');
  return JSON.parse(String(found));
}

/** Finds the seal among the signatures. */
function ours({ signatures }: OpenedPdf) {
  return signatures.find(({ name }) => name === 'Northwind Builders LLC');
}

function signaturesOf(pdf: Buffer): string[] {
  return inspect(pdf, 'pdfsig').match(/Signature Validation: .*|Total document signed/g) ?? [];
}

const wholeAndValid = ['Total document signed', 'Signature Validation: Signature is Valid.'];

test('the sealed PDF contains the attached file, then the field values, then the certificate', async () => {
  const file = await sampleFile(2);
  const input = inputFor(file, 2, [{ value: 'Blue door' }, { page: 2, type: 'date', value: '2026-03-14' }]);
  const sealed = await (await testWorker()).seal(input, file);
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
  expect(signaturesOf(sealed)).toEqual(wholeAndValid);
  expect(inspect(sealed, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');

  const [first, second, third] = pdfText(sealed).split('\f');
  expect(first).toMatch(/Clause 1[\s\S]*Blue door/);
  expect(second).toMatch(/Clause 2[\s\S]*2026-03-14/);
  expect(third).toContain('Certificate of completion');
  const { manner, before, after } = await factsOf(sealed);
  expect({ manner, before }).toEqual({ manner: 'pages', before: { sha256: digest(file), bytes: file.length } });
  expect(digest(sealed.subarray(0, after.bytes))).toBe(after.sha256);
  const printed = pdfText(sealed).replace(/\s+/g, ' ');
  for (const hash of [before.sha256, after.sha256]) expect(printed).toContain(hash);
});

test('a time-stamp authority that is away for a moment fails the seal, and does not turn the pages into pictures', async () => {
  const authority = await startTsa();
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    // The first request is for the validation data, which may be missing.
    if (asked <= 2) return void response.writeHead(503).end();
    const answer = await fetch(authority, { method: 'POST', body: Buffer.concat(await request.toArray()) });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const worker = await testWorker({ tsaUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  const file = await sampleFile(1);
  await expect(worker.seal(inputFor(file, 1), file)).rejects.toThrow('no time-stamp from the authority');
  expect((await factsOf(await worker.seal(inputFor(file, 1), file))).manner).toBe('pages');
});

test('the seal certifies that no further changes are allowed', async () => {
  const file = await sampleFile(1);
  const sealed = await (await testWorker()).seal(inputFor(file, 1), file);
  const plain = inspect(sealed, 'qpdf', ['--qdf', '--object-streams=disable'], ['-']);
  expect(plain).toMatch(/\/DocMDP \d+ 0 R/);
  expect(plain).toMatch(/\/TransformMethod \/DocMDP\s+\/TransformParams <<\s+\/P 1\s/);
  expect((await openPdf(sealed)).signatures).toMatchObject([{ isLast: true }]);
});

/**
 * Returns the bounds of new ink on the first page as shown: left, top, right, bottom in points. Only looks between `first`
 * and `last` points from the top.
 */
function newInk(before: Buffer, after: Buffer, first = 0, last = Number.POSITIVE_INFINITY): number[] {
  const [a, b] = [renderedOnce(before), renderedOnce(after)];
  expect({ width: b.width, height: b.height }).toEqual({ width: a.width, height: a.height });
  const isWithin = (i: number) => i >= first * a.width && i < last * a.width;
  const isChanged = (i: number) => Math.abs((a.grey[i] ?? 0) - (b.grey[i] ?? 0)) > 60;
  const changed = [...a.grey.keys()].filter((i) => isWithin(i) && isChanged(i));
  const [xs, ys] = [changed.map((i) => i % a.width), changed.map((i) => Math.floor(i / a.width))];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

interface Pixels {
  width: number;
  height: number;
  grey: Buffer;
}

const rendered = new WeakMap<Buffer, Pixels>();

function renderedOnce(pdf: Buffer): Pixels {
  const known = rendered.get(pdf) ?? pixels(pdf);
  rendered.set(pdf, known);
  return known;
}

function pixels(pdf: Buffer): Pixels {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'in.pdf'), pdf);
  const args = [
    '-cropbox',
    '-r',
    '72',
    '-l',
    '1',
    '-gray',
    '-singlefile',
    join(directory, 'in.pdf'),
    join(directory, 'out'),
  ];
  execFileSync('pdftoppm', args);
  const image = readFileSync(join(directory, 'out.pgm'));
  const [header = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), grey: image.subarray(header.length) };
}

const box = (...numbers: number[]) => new PdfArray(numbers.map((number) => PdfNumber.of(number)));

test.each([0, 90, 180, 270])(
  'values are drawn where they were placed on a page that is cropped and rotated by %i degrees',
  async (turn) => {
    const file = await sampleFile(1, (pdf) => {
      const page = pdf.getPage(0)?.dict;
      page?.set('Rotate', PdfNumber.of(turn));
      page?.set('MediaBox', box(-20, -10, 700, 800));
      page?.set('CropBox', box(30, 40, 430, 340));
    });
    const signature = { kind: 'drawn', png: drawnSignature().toString('base64') } as const;
    const input = inputFor(file, 1, [{ type: 'signature', value: 'true', x: 100, y: 60, width: 120, height: 40 }]);
    for (const recipient of input.recipients) recipient.signature = signature;
    const sealed = await (await testWorker()).seal(input, file);
    const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
    expect(left).toBeGreaterThanOrEqual(99);
    expect(top).toBeGreaterThanOrEqual(59);
    expect(right).toBeLessThanOrEqual(221);
    expect(bottom).toBeLessThanOrEqual(101);
    expect(bottom).toBeGreaterThan(90); // the signature touches the lower edge, upright for the reader
    expect(right - left).toBeGreaterThan(bottom - top);
  },
);

test.each<[string, (page: PdfDict | undefined) => void]>([
  ['a rotation by no quarter turn', (page) => page?.set('Rotate', PdfNumber.of(100))],
  ['a rotation that is no number', (page) => page?.set('Rotate', PdfName.of('90'))],
  ['a crop box of five numbers', (page) => page?.set('CropBox', box(0, 0, 612, 500, 0))],
  ['a media box without four numbers', (page) => page?.set('MediaBox', new PdfArray([PdfName.of('a')]))],
])(
  'readers show %s in different ways: its pages are sealed as the pictures that recipients saw',
  async (_what, change) => {
    const file = await sampleFile(1, (pdf) => change(pdf.getPage(0)?.dict));
    const input = inputFor(file, 1, [{ x: 72, y: 200, value: 'Sealed where it was seen' }]);
    const sealed = await (await testWorker()).seal(input, file);
    expect(await factsOf(sealed)).toMatchObject({ manner: 'enclosed', pictures: 1 });
    expect(pdfText(sealed)).toContain('Sealed where it was seen');
  },
);

test('open graphics states in the content of a page do not move the values', async () => {
  const file = await sampleFile(1, (pdf) => {
    const stray = Buffer.from('q 3 0 0 3 500 500 cm q (a string with \\) Q) Tj 0.5 0 0 0.5 0 0 cm % Q Q\n');
    pdf.getPage(0)?.dict.set('Contents', pdf.register(new PdfStream([], stray)));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
  expect([left >= 71, top >= 199, right <= 223, bottom <= 231]).toEqual([true, true, true, true]);
});

/** Content that leaves a state of half size open, in ways that hide it from those who count badly. Each keeps the page white. */
const unclear = {
  'restores a state that it never saved': 'Q 1 0 0 1 0 -50 cm',
  'hides what follows a state that it never saved': '1 1 1 rg Q 100 400 200 50 re f',
  'has an operator in a hexadecimal string': '0.5 0 0 0.5 0 0 cm q <41 Q 42> pop',
  'has an operator in an array': '0.5 0 0 0.5 0 0 cm q /A << /C [ Q ] >> DP',
  'has an operator after U+0000': '0.5 0 0 0.5 0 0 cm\0q\0',
  'has an operator after U+00A0': '0.5 0 0 0.5 0 0 cm q \xa0Q',
  'has the end of an inline image in its data':
    '0.5 0 0 0.5 0 0 cm q 1 0 0 1 -50 -50 cm BI /W 6 /H 1 /BPC 8 /CS /G ID  EI Q \nEI',
  'has a string without an end': '0.5 0 0 0.5 0 0 cm q (Q',
  'has ID outside of an inline image': '0.5 0 0 0.5 0 0 cm ID q EI',
  'hides a Q behind ID': '1 0 0 1 0 -50 cm q 0.5 0 0 0.5 0 0 cm ID q EI Q',
  'ends image data with EI and no space':
    '0.5 0 0 0.5 0 0 cm q 1 0 0 1 -50 -50 cm BI /W 7 /H 1 /BPC 8 /CS /G ID  EI Q \xffEI',
  'has an inline image in the data of another':
    '0.5 0 0 0.5 0 0 cm q 1 0 0 1 -50 -50 cm BI /W 13 /H 1 /BPC 8 /CS /G ID  EI Q BI ID \xff EI',
  'has a single >': '0.5 0 0 0.5 0 0 cm << >q ',
  'closes an array before it opens one': '0.5 0 0 0.5 0 0 cm ] [ q',
  'closes a dictionary as an array': '0.5 0 0 0.5 0 0 cm [ >> q',
  'has an operator after a number': '0.5 0 0 0.5 0 0 cm 1q',
};

test.each(Object.entries(unclear))(
  'values stay where they were placed, and nothing else appears: %s',
  async (_, content) => {
    const file = await sampleFile(1, (pdf) => {
      pdf.getPage(0)?.dict.set('Contents', pdf.register(new PdfStream([], Buffer.from(content, 'latin1'))));
    });
    const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
    expect(await factsOf(sealed)).toMatchObject({ manner: 'pages' });
    const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
    expect([left >= 71, top >= 199, left < right, right <= 223, bottom <= 231]).toEqual(Array(5).fill(true));
  },
);

test('PDFium shows values after an inline image that claims to be longer than the page', async () => {
  const file = await sampleFile(1, (pdf) => {
    const image = Buffer.from('1 0 0 1 -50 -50 cm BI /W 9999 /H 9999 /BPC 8 /CS /G ID  EI');
    pdf.getPage(0)?.dict.set('Contents', pdf.register(new PdfStream([], image)));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  const document = openBytes(await loadPdfium(), sealed) as OpenDocument;
  const { pixels } = pagePixels(document, 1, 612);
  document.close();
  expect(pixels.some((value) => value < 50)).toBe(true);
});

test('a comment at the end of a part of the content does not move the values', async () => {
  const file = await sampleFile(1, (pdf) => {
    const parts = ['0.5 0 0 0.5 0 0 cm q %', ' Q\n'].map((part) => pdf.register(new PdfStream([], Buffer.from(part))));
    pdf.getPage(0)?.dict.set('Contents', new PdfArray(parts));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
  expect([left >= 71, top >= 199, left < right, right <= 223, bottom <= 231]).toEqual(Array(5).fill(true));
});

test('content with a filter that only readers know does not move the values', async () => {
  const file = await sampleFile(1, (pdf) => {
    const packed = deflateSync('0.5 0 0 0.5 0 0 cm q');
    const stream = new PdfStream([['Filter', PdfName.of('Fl')]], packed);
    pdf.getPage(0)?.dict.set('Contents', pdf.register(stream));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
  expect([left >= 71, top >= 199, left < right, right <= 223, bottom <= 231]).toEqual(Array(5).fill(true));
});

test('an annotation that readers draw looks the same in the form that the seal adds', async () => {
  const note =
    '/Type /Annot /Subtype /FreeText /Contents (Hello note) /Rect [100 300 300 340] /DA (/Helv 12 Tf 0 g) /F 4';
  const file = Buffer.from(
    plainPdf({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R] >>',
      4: `<< ${note} >>`,
    }),
  );
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  expect(await factsOf(sealed)).toMatchObject({ manner: 'pages' });
  expect(pdfText(sealed)).toContain('Blue door');
});

test('a page keeps its inherited fonts, and the certificate inherits nothing from the file', async () => {
  const file = await sampleFile(1, (pdf) => {
    const page = pdf.getPage(0)?.dict as PdfDict;
    const root = pdf.context.resolve(page.getRef('Parent') as never) as PdfDict;
    for (const key of ['Resources', 'MediaBox']) {
      const value = page.get(key);
      if (value !== undefined) root.set(key, value);
      page.delete(key);
    }
    root.set('Rotate', PdfNumber.of(90));
    root.set('CropBox', box(0, 0, 500, 600));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{ y: 20 }]), file);
  expect(pdfText(sealed)).toContain('Clause 1');
  expect(inspect(sealed, 'pdfinfo', ['-f', '1', '-l', '2', '-box'])).toMatch(
    /Page +1 rot: +90[\s\S]*Page +2 size: +612 x 792[\s\S]*Page +2 rot: +0/,
  );
});

test('long text shrinks to fit, initials are those of the recipient, and an empty checkbox stays empty', async () => {
  const file = await sampleFile(1);
  const long = 'The keys are with the neighbour at number 14, second floor. '.repeat(8).trim();
  const input = inputFor(file, 1, [
    { value: long, width: 200, height: 90 },
    { type: 'initials', value: 'true', x: 300, width: 60, height: 20 },
    { type: 'checkbox', value: 'false', x: 400, width: 12, height: 12 },
  ]);
  for (const recipient of input.recipients) recipient.initials = { kind: 'typed', text: 'AMN' };
  const sealed = await (await testWorker()).seal(input, file);
  expect(pdfText(sealed)).toContain('AMN');
  expect(
    pdfText(sealed)
      .split('\f')[0]
      ?.match(/neighbour/g),
  ).toHaveLength(8);
  const [, , right = 0, bottom = 0] = newInk(file, sealed);
  expect(right).toBeLessThan(400);
  expect(bottom).toBeLessThanOrEqual(291);
});

test.each([
  ['a text', { type: 'text', value: 'The neighbour says: '.repeat(25) }],
  ['many line breaks', { type: 'text', value: 'a\n'.repeat(250) }],
  ['one long word', { type: 'text', value: 'W'.repeat(500) }],
  ['a signature', { type: 'signature', value: 'true' }],
] as const)('values that do not fit shrink and stay inside their field: %s', async (_, what) => {
  const file = await sampleFile(1);
  const input = inputFor(file, 1, [{ ...what, x: 100, y: 400, width: 60, height: 12 }]);
  for (const recipient of input.recipients)
    recipient.signature = { kind: 'typed', text: 'Maria López '.repeat(10).trim() };
  const sealed = await (await testWorker()).seal(input, file);
  const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
  expect([left >= 98, top >= 398, right <= 162, bottom <= 414]).toEqual([true, true, true, true]);
});

test.each([
  ['all changes are allowed', null],
  ['signatures and forms are allowed', 2],
] as const)('an earlier signature stays valid and covers the same bytes: %s', async (_, level) => {
  const plain = await sampleFile(2);
  const file = await signedFile(plain, 'Earlier', level);
  const sealed = await (await testWorker()).seal(inputFor(file, 2), file);
  expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
  expect(signaturesOf(sealed)).toEqual(['Signature Validation: Signature is Valid.', ...wholeAndValid]);
  expect(inspect(sealed, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(inspect(sealed, 'pdfinfo')).toMatch(/Pages:\s+2/);
  const seal = ours(await openPdf(sealed));
  expect(seal?.isLast).toBe(false);
  expect((await factsOf(sealed)).manner).toBe('signed');
  const certificate = seal?.attachment('certificate.pdf') ?? Buffer.alloc(0);
  expect(pdfText(certificate)).toContain('Certificate of completion');
  expect(pdfText(certificate)).toContain(digest(file));
});

test('values on a signed file are annotations, so that its page content stays as it was signed', async () => {
  const file = await signedFile(await sampleFile(1, (pdf) => pdf.getPage(0)?.dict.set('Rotate', PdfNumber.of(90))));
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{ y: 100 }]), file);
  expect(signaturesOf(sealed).filter((line) => line.includes('Valid'))).toHaveLength(2);
  const [left = 0, top = 0, right = 0, bottom = 0] = newInk(file, sealed);
  expect([left >= 71, top >= 99, right <= 223, bottom <= 131]).toEqual([true, true, true, true]);
  expect(right - left).toBeGreaterThan(bottom - top);
});

test('a signed file whose pages have their content in several parts gets values too', async () => {
  const parts = await sampleFile(1, (pdf) => {
    const page = pdf.getPage(0)?.dict as PdfDict;
    const more = Array.from({ length: 3 }, (_, n) =>
      pdf.register(new PdfStream([], Buffer.from(`72 ${500 + n * 20} 90 9 re f`))),
    );
    page.set('Contents', new PdfArray([page.getRef('Contents') as PdfRef, ...more]));
  });
  const file = await signedFile(parts);
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{}]), file);
  expect(await factsOf(sealed)).toMatchObject({ manner: 'signed' });
});

test('a signed file that forbids changes is embedded unchanged, and the certificate lists the values', async () => {
  const file = await signedFile(await sampleFile(1), 'Earlier', 1);
  const sealed = await (await testWorker()).seal(inputFor(file, 1, [{ label: 'Colour' }]), file);
  const opened = await openPdf(sealed);
  expect(opened.attachment('attached.pdf')?.equals(file)).toBe(true);
  expect(pdfText(sealed)).toMatch(/Page 1, Colour: Blue door \(Ana María Núñez\)/);
  expect(signaturesOf(sealed)).toEqual(wholeAndValid);
  expect((await factsOf(sealed)).manner).toBe('enclosed');
});

test.each([0, 90])(
  'pictures of an enclosed file turned by %i degrees look like its pages, with the values on them',
  async (turn) => {
    const plain = await sampleFile(2, (pdf) => {
      pdf.getPage(0)?.dict.set('Rotate', PdfNumber.of(turn));
      pdf.getPage(0)?.dict.set('CropBox', box(30, 40, 530, 640));
    });
    const file = await signedFile(plain, 'Earlier', 1);
    const sealed = await (await testWorker()).seal(inputFor(file, 2, [{ x: 100, y: 60 }]), file);
    expect(await factsOf(sealed)).toMatchObject({ manner: 'enclosed', pictures: 2 });
    expect(pdfText(sealed)).toMatch(/certificate\s+are\s+pictures\s+of\s+its\s+pages/);
    const [a, b] = [pixels(file), pixels(sealed)];
    expect([b.width, b.height]).toEqual([a.width, a.height]);
    // Blurred, because a picture is drawn with other edges than text: only the value differs.
    const changed = [...differentCells(a, b)];
    expect(changed.length).toBeGreaterThan(0);
    for (const [x, y] of changed) expect([x >= 90, x <= 260, y >= 50, y <= 100]).toEqual([true, true, true, true]);
    expect(signaturesOf(sealed)).toEqual(wholeAndValid);
    const opened = await openPdf(sealed);
    expect(opened.attachment('attached.pdf')?.equals(file)).toBe(true);
  },
);

/** Returns the corners of cells of 10 by 10 points whose mean brightness differs. */
function* differentCells(a: Pixels, b: Pixels): Generator<[x: number, y: number]> {
  const mean = ({ grey, width }: Pixels, x: number, y: number) => {
    let sum = 0;
    for (let row = y; row < y + 10; row++) for (let at = x; at < x + 10; at++) sum += grey[row * width + at] ?? 0;
    return sum / 100;
  };
  for (let y = 0; y + 10 <= a.height; y += 10) {
    for (let x = 0; x + 10 <= a.width; x += 10) if (Math.abs(mean(a, x, y) - mean(b, x, y)) > 12) yield [x, y];
  }
}

test('encrypted and damaged files are sealed too', async () => {
  const plain = await sampleFile(2);
  const locked = await PDF.load(plain);
  locked.setProtection({ userPassword: '', ownerPassword: 'owner' });
  const damaged = Buffer.from(plain.toString('latin1').replace(/startxref\s+\d+/, 'startxref 7'), 'latin1');
  const worker = await testWorker();
  for (const [file, pages, manner] of [
    [Buffer.from(await locked.save()), 2, 'rewritten'],
    [damaged, 2, 'rewritten'],
    [plain, 3, 'enclosed'], // another reader counted another number of pages
    [Buffer.from('%PDF-1.7 and nothing else'), 1, 'enclosed'],
  ] as const) {
    const sealed = await worker.seal(inputFor(file, pages, [{}]), file);
    expect((await factsOf(sealed)).manner).toBe(manner);
    expect(pdfText(sealed)).toContain('Blue door');
    expect(signaturesOf(sealed)).toEqual(wholeAndValid);
    const empty = await worker.seal(inputFor(file, pages), file);
    const facts = await factsOf(empty);
    expect(facts.manner).toBe(manner);
    if (manner === 'rewritten') expect(digest(empty.subarray(0, facts.after.bytes))).toBe(facts.after.sha256);
  }
});

test('sealing refuses a file other than the one that was sent', async () => {
  const worker = await testWorker();
  const input = inputFor(await sampleFile(1), 1);
  await expect(worker.seal(input, await sampleFile(2))).rejects.toThrow(
    'the attached file has changed since it was sent',
  );
});

test('attachments of the file cannot replace those of the seal, and its XFA form is removed', async () => {
  const file = await sampleFile(1, (pdf) => {
    pdf.addAttachment('file.json', Buffer.from('{"manner":"forged"}'));
    pdf.addAttachment('theirs.txt', Buffer.from('theirs'));
    const form = pdf.getOrCreateForm();
    form.createTextField('Countersign');
    pdf.context.catalog
      .getDict()
      .getDict('AcroForm', (ref) => pdf.context.resolve(ref))
      ?.set('XFA', new PdfArray([]));
    pdf.context.catalog.getDict().set('Perms', PdfDict.of({ UR3: PdfDict.of({ Type: PdfName.of('Other') }) }));
  });
  const sealed = await (await testWorker()).seal(inputFor(file, 1), file);
  const opened = await openPdf(sealed);
  expect((await factsOf(sealed)).manner).toBe('pages');
  expect(String(opened.attachment('theirs.txt'))).toBe('theirs');
  expect(opened.hasXfa).toBe(false);
  expect(signaturesOf(sealed)).toEqual(wholeAndValid);
});

const names: Array<[value: string, font: string]> = [
  ['山田太郎', 'DroidSansFallback'],
  ['王小明', 'DroidSansFallback'],
  ['김민준', 'NanumGothic'],
  ['Дмитрий', 'Inter-Regular'],
  ['Ελένη', 'Inter-Regular'],
  ['محمد', 'NotoNaskhArabic'],
  ['שלמה', 'NotoSansHebrew'],
  ['क्षितिज शर्मा', 'NotoSansDevanagari'],
  ['রবীন্দ্রনাথ', 'NotoSansBengali'],
  ['สมชาย น้ำทิพย์', 'NotoSansThai'],
  ['தமிழ்ச்செல்வி', 'NotoSansTamil'],
  ['తెలుగు శ్రీనివాస్', 'NotoSansTelugu'],
  ['ಶ್ರೀಕಾಂತ್', 'NotoSansKannada'],
  ['കൃഷ്ണൻ', 'NotoSansMalayalam'],
  ['ගුණසේකර', 'NotoSansSinhala'],
  ['પટેલ', 'NotoSansGujarati'],
  ['ਗੁਰਪ੍ਰੀਤ', 'NotoSansGurmukhi'],
  ['କୃଷ୍ଣ ମହାନ୍ତି', 'NotoSansOriya'],
  ['ສົມຊາຍ', 'NotoSansLao'],
  ['ភ្នំពេញ', 'NotoSansKhmer'],
  ['အောင်ဆန်းစုကြည်', 'NotoSansMyanmar'],
  ['བཀྲ་ཤིས', 'NotoSerifTibetan'],
  ['გიორგი', 'NotoSansGeorgian'],
  ['Հովհաննես', 'NotoSansArmenian'],
  ['ኃይለ ሥላሴ', 'NotoSansEthiopic'],
  ['ᐃᓄᒃᑎᑐᑦ', 'NotoSansCanadianAboriginal'],
  ['ᏣᎳᎩ', 'NotoSansCherokee'],
  ['ⵜⴰⵎⴰⵣⵉⵖⵜ', 'NotoSansTifinagh'],
];

test('a name in any script is drawn with a font that has its letters, as text and as ink', async () => {
  const file = await sampleFile(1);
  const rowHeight = 24;
  const top = (row: number) => 100 + row * rowHeight;
  const fields = names.map(([value], row) => ({ value, y: top(row), width: 200, height: rowHeight - 2 }));
  const sealed = await (await testWorker()).seal(inputFor(file, 1, fields), file);
  const text = pdfText(sealed).split('\f')[0]?.normalize('NFKC');
  const fonts = inspect(sealed, 'pdffonts', ['-l', '1']);
  for (const [row, [name, font]] of names.entries()) {
    expect(text).toContain(name.normalize('NFKC'));
    expect(fonts).toContain(font);
    const [left = 0, , right = 0, bottom = 0] = newInk(file, sealed, top(row), top(row) + rowHeight);
    expect([name, left >= 71, right - left > 12, right < 272, bottom > 0]).toEqual([name, true, true, true, true]);
  }
  expect(newInk(file, sealed)[1]).toBeGreaterThanOrEqual(top(0) - 1);
});
