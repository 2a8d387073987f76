import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import decodeWebp from '@jsquash/webp/codec/dec/webp_dec.js';
import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { sampleInput } from '../sealing/testing/sample-input.ts';
import { testWorker } from '../sealing/testing/tools.ts';
import { createPdfReader, type PdfReader } from './pdf-reader.ts';
import { firstFreeObject, makePdf, type PdfPlan, stream } from './pdfium/testing/make-pdf.ts';

let directory: string;
let reader: PdfReader;
const log = createLog('silent');
const company = 'a company';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pdf-reader-'));
  reader = createPdfReader({ log });
});
afterAll(async () => {
  await reader.close();
  rmSync(directory, { recursive: true });
});

let files = 0;
function fileOf(pdf: PdfPlan | Uint8Array): string {
  files += 1;
  const path = join(directory, `${files}.pdf`);
  writeFileSync(path, pdf instanceof Uint8Array ? pdf : makePdf(pdf));
  return path;
}

const inspect = (pdf: PdfPlan | Uint8Array) => reader.inspect(fileOf(pdf), company);

async function decode(bytes: Uint8Array): Promise<{ data: Uint8ClampedArray; width: number; height: number }> {
  const wasmBinary = readFileSync(new URL('../../node_modules/@jsquash/webp/codec/dec/webp_dec.wasm', import.meta.url));
  // A browser has this built in.
  Object.assign(globalThis, {
    ImageData: class {
      constructor(data: Uint8ClampedArray, width: number, height: number) {
        Object.assign(this, { data, width, height });
      }
    },
  });
  const decoder = await decodeWebp({ wasmBinary });
  return decoder.decode(Buffer.from(bytes));
}

test('the picture of a stamp that takes long delays no file of a company', async () => {
  const only = createPdfReader({ log });
  try {
    const picture = fileOf(new Uint8Array(plainPng(7000, 0)));
    await Promise.all([only.makeStamp(fileOf(new Uint8Array(1))), only.inspect(fileOf({ pages: [{}] }), company)]);
    expect(await only.makeStamp(fileOf(new Uint8Array(plainPng(50, 0xff))))).toEqual({ ok: false }); // nobody sees it
    const ended: string[] = [];
    await Promise.all([
      ...[1, 2, 3].map(() => only.makeStamp(picture).then(({ ok }) => ended.push(`stamp ${ok}`))),
      only.inspect(fileOf({ pages: [{}] }), company).then(() => ended.push('file')),
    ]);
    expect(ended).toEqual(['file', 'stamp true', 'stamp true', 'stamp true']);
  } finally {
    await only.close();
  }
});

test('a file that takes long delays those of another company by one', async () => {
  const only = createPdfReader({ log });
  try {
    const file = fileOf({ pages: [{}] });
    await only.inspect(file, company);
    const ended: string[] = [];
    const ask = (owner: string) => only.inspect(file, owner).then(() => ended.push(owner));
    await Promise.all([...Array.from({ length: 40 }, () => ask('many')), ask('few'), ask('few')]);
    expect(ended.slice(0, 5)).toEqual(['many', 'many', 'few', 'many', 'few']);
    const asked = await Promise.allSettled([...Array.from({ length: 60 }, () => ask('many')), ask('few')]);
    // One runs and 50 wait; what one company asks too much is no reason to refuse another.
    expect(asked.map(({ status }) => status)).toEqual([
      ...new Array(51).fill('fulfilled'),
      ...new Array(9).fill('rejected'),
      'fulfilled',
    ]);
  } finally {
    await only.close();
  }
});

/** A square picture of a few kilobytes: black, or white with `byte` 0xff. */
function plainPng(side: number, byte: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), content]);
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
    ends[0].writeUInt32BE(content.length);
    ends[1].writeUInt32BE(crc32(named));
    return Buffer.concat([ends[0], named, ends[1]]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  for (const at of [0, 4]) header.writeUInt32BE(side, at);
  const rowBytes = Math.ceil(side / 8) + 1;
  const rows = Buffer.alloc(rowBytes * side, byte);
  for (let at = 0; at < rows.length; at += rowBytes) rows[at] = 0; // no filter
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

describe('inspecting a file', () => {
  test('returns its pages as shown: cropped and rotated', async () => {
    const found = await inspect({
      pages: [
        { width: 612, height: 792 },
        { width: 612, height: 792, entries: '/Rotate 90' },
        { width: 612, height: 792, entries: '/CropBox [100 100 400 300.5]' },
        { width: 612, height: 792, entries: '/CropBox [100 100 400 300.5] /Rotate 270' },
      ],
    });
    expect(found).toEqual({
      ok: true,
      pageCount: 4,
      pages: [
        { width: 612, height: 792 },
        { width: 792, height: 612 },
        { width: 300, height: 200.5 },
        { width: 200.5, height: 300 },
      ],
      isSigned: false,
      isEncryptedWithoutPassword: false,
    });
  });

  test('reports signatures, but not empty signature fields', async () => {
    const worker = await testWorker();
    expect(await inspect(await worker.seal(sampleInput()))).toMatchObject({ ok: true, isSigned: true });
    const empty = await inspect({
      catalog: `/AcroForm << /Fields [${firstFreeObject} 0 R] >>`,
      objects: ['<< /FT /Sig /T (s) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] >>'],
    });
    expect(empty).toMatchObject({ ok: true, isSigned: false });
  });

  test.each([
    ['a password to open it', { userPassword: 'secret', ownerPassword: 'more' }, { ok: false, reason: 'encrypted' }],
    ['a password only to change it', { ownerPassword: 'more' }, { ok: true, isEncryptedWithoutPassword: true }],
  ])('one with %s', async (_name, passwords, expected) => {
    const pdf = await PDF.load(makePdf({ pages: [{}, {}] }));
    pdf.setProtection(passwords);
    expect(await inspect(await pdf.save())).toMatchObject(expected);
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'not_a_pdf'],
    ['zeros', Buffer.alloc(100_000), 'not_a_pdf'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n'), 'not_a_pdf'],
    ['a page that speaks of %PDF- late', Buffer.from(`<html>${' '.repeat(2000)}%PDF-1.7`), 'not_a_pdf'],
    ['a header and nothing else', Buffer.from('%PDF-1.7\n'), 'damaged'],
    ['no page', makePdf({ pages: [] }), 'damaged'],
    [
      'a page that is missing between others',
      makePdf({ pages: [{}, {}, {}] })
        .toString('latin1')
        .replace('12 0 obj', '88 0 obj'),
      'damaged',
    ],
    ['a page of a kilometre', makePdf({ pages: [{ width: 3_000_000, height: 3_000_000 }] }), 'damaged'],
    [
      'more pages than can be signed',
      makePdf({ pages: Array.from({ length: 5001 }, () => ({ text: '' })) }),
      'too_many_pages',
    ],
    ['a form for one vendor', makePdf({ catalog: '/AcroForm << /XFA [] /Fields [] >> /NeedsRendering true' }), 'xfa'],
    [
      'a page that asks for one vendor',
      makePdf({ catalog: '/AcroForm << /XFA [] /Fields [] >>', pages: [{ text: 'Please wait...' }] }),
      'xfa',
    ],
  ])('%s is refused', async (_name, bytes, reason) => {
    expect(await inspect(Buffer.from(bytes as string, 'latin1'))).toEqual({ ok: false, reason });
  });

  test.each([
    ['a form that can be filled without XFA', { catalog: '/AcroForm << /XFA [] /Fields [] >>' }, 1],
    ['as many pages as can be signed', { pages: Array.from({ length: 5000 }, () => ({ text: '' })) }, 5000],
    ['fewer pages than it claims', { pages: [{}, {}], count: 4000 }, 2],
    ['far fewer pages than it claims', { pages: [{}, {}], count: 2_147_483_647 }, 2],
    ['a negative number of pages', { pages: [{}, {}], count: -2 }, 2],
  ])('%s is accepted', async (_name, plan, pageCount) => {
    const found = await inspect(plan);
    expect(found).toMatchObject({ ok: true, pageCount });
  });

  test('repairs a broken cross-reference table', async () => {
    const broken = makePdf({ pages: [{}, {}] })
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7');
    expect(await inspect(Buffer.from(broken, 'latin1'))).toMatchObject({ ok: true, pageCount: 2 });
  });

  test('ends for a page tree with a cycle', async () => {
    const loop = makePdf().toString('latin1').replace('/Kids [10 0 R]', '/Kids [2 0 R]');
    expect(await inspect(Buffer.from(loop, 'latin1'))).toMatchObject({ ok: false });
  });

  test('refuses a file that crashes its process, and reads the next file', async () => {
    const impatient = createPdfReader({ log, inspectMs: 1 });
    expect(await impatient.inspect(fileOf({}), company)).toEqual({ ok: false, reason: 'too_complex' });
    await impatient.close();
    expect(await inspect({})).toMatchObject({ ok: true });
  });
});

describe('rendering a page', () => {
  test('has the requested width and the right proportions, and is dark only where its text is', async () => {
    const path = fileOf({ pages: [{ text: 'Hello' }, { text: 'Hello', entries: '/Rotate 90' }] });
    const { mediaType, bytes, ...size } = await reader.renderPage(path, 1, 900, company);
    expect([mediaType, size]).toEqual(['image/webp', { width: 900, height: 1165 }]);
    const image = await decode(bytes);
    expect([image.width, image.height]).toEqual([900, 1165]);
    expect(darkIn(image, { x: 72, y: 50, width: 60, height: 30 }, 612)).toBeGreaterThan(50);
    expect(darkIn(image, { x: 0, y: 100, width: 612, height: 692 }, 612)).toBe(0);

    const turned = await decode((await reader.renderPage(path, 2, 900, company)).bytes);
    expect([turned.width, turned.height]).toEqual([900, 695]);
    expect(darkIn(turned, { x: 792 - 80, y: 72, width: 30, height: 60 }, 792)).toBeGreaterThan(50);
    expect(darkIn(turned, { x: 0, y: 0, width: 700, height: 612 }, 792)).toBe(0);
  });

  test.each([
    ['very wide', { width: 80_000, height: 2 }, { width: 1800, height: 1 }],
    ['very tall', { width: 2, height: 80_000 }, { width: 1, height: 12_000 }],
    ['taller than a picture may be', { width: 100, height: 2000 }, { width: 600, height: 12_000 }],
  ])('%s: within bounds', async (_name, page, size) => {
    expect(await reader.renderPage(fileOf({ pages: [page] }), 1, 1800, company)).toMatchObject(size);
  });

  test('a missing page or file only fails its own job', async () => {
    const path = fileOf({});
    await expect(reader.renderPage(path, 2, 600, company)).rejects.toMatchObject({ failure: 'failed' });
    await expect(reader.renderPage(fileOf(Buffer.from('no')), 1, 600, company)).rejects.toMatchObject({
      failure: 'failed',
    });
    await expect(reader.renderPage(join(directory, 'none'), 1, 600, company)).rejects.toMatchObject({
      failure: 'failed',
    });
    expect(await reader.renderPage(path, 1, 600, company)).toMatchObject({ width: 600 });
  });

  test('a page that takes too long fails', async () => {
    const impatient = createPdfReader({ log, pageMs: 3000 });
    const drawing = Buffer.alloc(60_000_000, '0 0 m 600 700 l 9 w 1 J 5 600 300 80 6 4 c S ');
    const content = { entries: '/Filter /FlateDecode', bytes: deflateSync(drawing) };
    const path = fileOf({ pages: [{ content }] });
    await expect(impatient.renderPage(path, 1, 1800, company)).rejects.toMatchObject({ failure: 'timeout' });
    expect(await impatient.renderPage(fileOf({}), 1, 600, company)).toMatchObject({ width: 600 });
    await impatient.close();
  });

  test('a page that needs too much memory fails', async () => {
    const frugal = createPdfReader({ log, memoryMaxBytes: 256 * 2 ** 20 });
    const bomb = deflateSync(Buffer.alloc(400_000_000));
    const content = { entries: '/Filter /FlateDecode', bytes: bomb };
    const path = fileOf({ pages: [{ content }] });
    await expect(frugal.renderPage(path, 1, 600, company)).rejects.toMatchObject({ name: 'PdfWorkerError' });
    expect(await frugal.renderPage(fileOf({}), 1, 600, company)).toMatchObject({ width: 600 });
    await frugal.close();
  });

  test('a form that draws itself ends or fails', async () => {
    const path = fileOf(picturesDrawingThemselves('/X Do'));
    expect(await reader.renderPage(path, 1, 600, company)).toMatchObject({ width: 600 });
    const impatient = createPdfReader({ log, pageMs: 3000, memoryMaxBytes: 400 * 2 ** 20 });
    const bomb = fileOf(picturesDrawingThemselves('/X Do /X Do'));
    await expect(impatient.renderPage(bomb, 1, 600, company)).rejects.toMatchObject({ name: 'PdfWorkerError' });
    await impatient.close();
  });
});

function picturesDrawingThemselves(drawing: string): PdfPlan {
  const resources = `/Resources << /XObject << /X ${firstFreeObject} 0 R >> >>`;
  const content = { entries: '', bytes: Buffer.from('/X Do') };
  const picture = stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`, Buffer.from(drawing));
  return { pages: [{ content, entries: resources }], objects: [picture] };
}

describe('reading the text of a page', () => {
  test('returns lines, words and runs at their positions', async () => {
    const text = 'Sign (here), Ada';
    const path = fileOf({
      pages: [
        { text },
        { text, entries: '/Rotate 90' },
        { text, entries: '/Rotate 180' },
        { text, entries: '/Rotate 270' },
      ],
    });
    const [line, ...others] = (await reader.pageText(path, 1, company)).lines;
    expect(others).toEqual([]);
    expect(line).toMatchObject({ text, words: [{ text: 'Sign' }, { text: '(here),' }, { text: 'Ada' }] });
    expect(line?.runs).toMatchObject([
      { text, fontSize: 24, weight: 400, isItalic: false, fontName: 'Helvetica', color: '#000000' },
    ]);
    const { x = 0, y = 0, width = 0, height = 0 } = line ?? {};
    expect([Math.abs(x - 72) < 3, Math.abs(y + height - 72) < 8, height > 10, height < 30]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(line?.words[2]?.x).toBeGreaterThan(x + width / 2);

    const turned = await Promise.all(
      [2, 3, 4].map(async (page) => (await reader.pageText(path, page, company)).lines[0]),
    );
    const near = (value: number) => expect.closeTo(value, 1);
    expect(turned[0]).toMatchObject({
      x: near(792 - y - height),
      y: near(x),
      width: near(height),
      height: near(width),
    });
    expect(turned[1]).toMatchObject({ x: near(612 - x - width), y: near(792 - y - height) });
    expect(turned[2]).toMatchObject({ x: near(y), y: near(612 - x - width), width: near(height), height: near(width) });
  });

  test('returns sizes scaled by the text matrix, colours and separate lines', async () => {
    const bytes = Buffer.from('BT /F1 1 Tf 1 0 0 rg 18 0 0 18 72 700 Tm (One) Tj 0 -2 Td (Two) Tj ET');
    const path = fileOf({ pages: [{ content: { entries: '', bytes } }] });
    const { lines } = await reader.pageText(path, 1, company);
    expect(lines).toMatchObject([
      { text: 'One', runs: [{ fontSize: 18, color: '#ff0000' }] },
      { text: 'Two', runs: [{ fontSize: 18, color: '#ff0000' }] },
    ]);
  });

  test('returns no lines for a page without text', async () => {
    expect(await reader.pageText(fileOf({ pages: [{ text: '' }] }), 1, company)).toEqual({ lines: [] });
  });
});

test('a file of the maximum size is not read into memory', async () => {
  const frugal = createPdfReader({ log, memoryMaxBytes: 240 * 2 ** 20 });
  const path = fileOf({ ballast: 150 * 2 ** 20 - 20_000 });
  expect(await frugal.inspect(path, company)).toMatchObject({ ok: true, pageCount: 1 });
  expect(await frugal.renderPage(path, 1, 600, company)).toMatchObject({ width: 600 });
  await frugal.close();
  rmSync(path);
});

/** Counts the dark pixels within a box, given in points of a page that is `pageWidth` wide. */
function darkIn(
  { data, width }: { data: Uint8ClampedArray; width: number },
  box: { x: number; y: number; width: number; height: number },
  pageWidth: number,
): number {
  const scale = width / pageWidth;
  let dark = 0;
  for (let y = Math.ceil(box.y * scale); y < Math.floor((box.y + box.height) * scale); y += 1) {
    for (let x = Math.ceil(box.x * scale); x < Math.floor((box.x + box.width) * scale); x += 1) {
      if ((data[(y * width + x) * 4] ?? 255) < 128) dark += 1;
    }
  }
  return dark;
}
