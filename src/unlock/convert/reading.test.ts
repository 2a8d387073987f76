import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadPdfium } from '../../pdf/pdfium/load-pdfium.ts';
import { firstFreeObject, makePdf, stream } from '../../pdf/pdfium/testing/make-pdf.ts';
import { createLog } from '../../platform/log.ts';
import { pdfProcessesOf, waitUntil } from '../../sealing/testing/tools.ts';
import { createUnlocker } from './create-unlocker.ts';
import { loadRecogniser } from './reading/recogniser.ts';
import { drawPages, lines } from './testing/draw-pages.ts';
import { shownPages, unlockBytes } from './testing/unlock-bytes.ts';

const log = createLog('silent');
const unlocker = createUnlocker({ log });
afterAll(() => unlocker.close());

/** Makes a PDF whose font has these characters for the codes 1, 2, 3, …, in cells of 6 points, from left to right. */
function spelled(rows: string[]): Buffer {
  const characters = [...new Set(rows.join(''))];
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
  const mapped = characters.map((character, index) => {
    const utf16 = [...character].flatMap((one) => Array.from(one, (_, at) => hex(one.charCodeAt(at), 4))).join('');
    return `<${hex(index + 1, 2)}> <${utf16}>`;
  });
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
${mapped.length} beginbfchar\n${mapped.join('\n')}\nendbfchar endcmap end end`;
  const shown = rows.map((row, index) => {
    const codes = [...row].map((character) => hex(characters.indexOf(character) + 1, 2)).join('');
    return `BT /F1 10 Tf 1 0 0 1 72 ${700 - index * 12} Tm <${codes}> Tj ET`;
  });
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FirstChar 1 /LastChar ${characters.length}
    /Widths [${characters.map(() => 600).join(' ')}] /ToUnicode ${firstFreeObject + 1} 0 R >>`;
  return makePdf({
    pages: [
      {
        entries: `/Resources << /Font << /F1 ${firstFreeObject} 0 R >> >>`,
        content: { entries: '', bytes: Buffer.from(shown.join('\n')) },
      },
    ],
    objects: [font, stream('', Buffer.from(map))],
  });
}

/** Reverses a text, so that its first letter is at the right, as printed. */
const asPrinted = (text: string) => [...text].reverse().join('');

describe('writing', () => {
  test('from right to left is read from right to left, with what is in it from left to right', async () => {
    const [first, second] = ['החוזה נחתם בין הצדדים', 'ביום שני'];
    const { pages } = await unlockBytes(unlocker, spelled([asPrinted(first), asPrinted(second)]));
    const [block, ...others] = pages[0]?.blocks ?? [];
    expect(others).toEqual([]);
    expect(block).toMatchObject({ type: 'paragraph', text: `${first} ${second}`, rtl: true });
  });

  test('ligatures are letters, symbols of bullets are bullets, and what turns or hides text is gone', async () => {
    const { pages } = await unlockBytes(
      unlocker,
      spelled(['\ufb01nal o\ufb03ce', '\u202epay\u2066 \u200bnothing\ufeff']),
    );
    expect(shownPages(pages)).toEqual(['p final office pay nothing']);
  });

  test('boxes and ticks are markers that differ, also those of Wingdings', async () => {
    const markers = ['\uf0b7', '\uf0a8', '\uf0fc', '\uf0fd', '\uf0fe', '☐', '☒', '■'];
    const { pages } = await unlockBytes(unlocker, spelled(markers.map((marker) => `${marker} Rent`)));
    expect(shownPages(pages)).toEqual(['•', '□', '✓', '☒', '☑', '☐', '☒', '■'].map((marker) => `${marker} Rent`));
    expect(pages[0]?.blocks.map(({ type }) => type)).toEqual(['list']);
  });

  test('Chinese lines go on without a space', async () => {
    const { pages } = await unlockBytes(unlocker, spelled(['本合同由双方', '签署生效']));
    expect(shownPages(pages)).toEqual(['p 本合同由双方签署生效']);
  });
});

const rent = ['The tenant pays the rent on the first day of', 'every month to the owner of the house.'];
const isReader = (await loadRecogniser()) !== null;

/** Makes a scanned page: a picture of text, with these operators before and after it. */
async function scanned({ below = '', above = '' } = {}): Promise<Buffer> {
  const pdfium = await loadPdfium();
  const source = drawPages([
    {
      texts: [{ x: 72, y: 90, text: 'Rental agreement', size: 24 }, ...lines(72, 130, rent, { size: 12, pitch: 15 })],
    },
  ]);
  const address = pdfium.memory.allocate(source.length);
  pdfium.memory.bytes(address, source.length).set(source);
  const document = pdfium.FPDF_LoadMemDocument(address, source.length, '');
  const page = pdfium.FPDF_LoadPage(document, 0);
  const [width, height] = [1224, 1584];
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, 1, 0, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0x08);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const drawn = Buffer.from(pdfium.memory.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height));
  const pixels = Buffer.concat(
    Array.from({ length: height }, (_, row) => drawn.subarray(row * stride, row * stride + width)),
  );
  const image = stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
    deflateSync(pixels),
  );
  return makePdf({
    pages: [
      {
        entries: `/Resources << /XObject << /X ${firstFreeObject} 0 R >> /Font << /F1 3 0 R >> >>`,
        content: { entries: '', bytes: Buffer.from(`${below} q 612 0 0 792 0 0 cm /X Do Q ${above}`) },
      },
    ],
    objects: [image],
  });
}

describe('pages that are pictures', () => {
  test.skipIf(!isReader)('are read where the optional packages are installed', async () => {
    const { pages } = await unlockBytes(unlocker, await scanned());
    expect(pages[0]).toMatchObject({ source: 'ocr' });
    expect(shownPages(pages)).toEqual([
      'h1 Rental agreement',
      'p The tenant pays the rent on the first day of every month to the owner of the house.',
    ]);
    const [title] = pages[0]?.blocks ?? [];
    expect([Math.abs((title?.x ?? 0) - 72) < 4, Math.abs((title?.y ?? 0) - 73) < 6]).toEqual([true, true]);
  });

  const stamp = (at = '72 30 Td') => `BT /F1 9 Tf ${at} (Envelope ID: 7C1F-88AB-0003) Tj ET`;
  const side = stamp('0 1 -1 0 590 300 Tm');

  test.skipIf(!isReader).for([
    ['at the foot', stamp()],
    ['on the side', side],
  ])('are read when text is stamped %s, which is there once', async ([, above]) => {
    const { pages } = await unlockBytes(unlocker, await scanned({ above }));
    expect(pages[0]).toMatchObject({ source: 'ocr' });
    expect(shownPages(pages)).toEqual(['h1 Rental agreement', `p ${rent.join(' ')}`, 'p Envelope ID: 7C1F-88AB-0003']);
  });

  test.for([
    ['invisible text', { above: `3 Tr ${stamp()}` }],
    ['text below the picture', { below: stamp() }],
    ['invisible text and a stamp', { above: `${stamp()} 3 Tr ${stamp()}` }],
  ] as const)('keep a text layer of their own: %s', async ([, drawn]) => {
    const { pages } = await unlockBytes(unlocker, await scanned(drawn));
    expect(pages[0]).toMatchObject({ source: 'text' });
    expect(shownPages(pages).join()).toMatch(/^p Envelope ID/);
    expect(shownPages(pages).join()).not.toContain('Rental');
  });

  test('are no scans when they are small, or when there is much text on them', async () => {
    const much = Array.from({ length: 40 }, (_, line) => stamp(`72 ${700 - line * 14} Td`)).join(' ');
    for (const drawn of [{ below: '0.8 0 0 0.8 0 0 cm', above: stamp() }, { above: much }]) {
      const { pages } = await unlockBytes(unlocker, await scanned(drawn));
      expect(pages[0]).toMatchObject({ source: 'text' });
    }
  });

  test('and hold nothing have no text, which costs the others nothing', async () => {
    const [blank, written] = [{ texts: [] }, { texts: lines(72, 100, ['Something']) }];
    expect((await unlockBytes(unlocker, drawPages([blank]))).made).toEqual({ ok: false, reason: 'no_text' });
    const { pages } = await unlockBytes(unlocker, drawPages([blank, written]), 2);
    expect(pages.map(({ source }) => source)).toEqual(['none', 'text']);
  });
});

describe('hostile files', () => {
  /** Tens of thousands of words in one place. Reading them takes seconds. */
  function pileOfWords(): Buffer {
    const pile = Buffer.from(`BT /F1 1 Tf ${'1 0 0 1 72 700 Tm (word ) Tj '.repeat(30_000)} ET`);
    const scattered = Array.from(
      { length: 30_000 },
      (_, i) => `1 0 0 1 ${(i * 7919) % 600} ${(i * 104_729) % 780} Tm (w ) Tj`,
    );
    const page = (bytes: Buffer) => ({ content: { entries: '', bytes } });
    return makePdf({ pages: [page(pile), page(Buffer.from(`BT /F1 3 Tf ${scattered.join('\n')} ET`))] });
  }

  test.for<[what: string, reason: string, bytes: Buffer, pages: number]>([
    ['nothing', 'conversion_failed', Buffer.alloc(0), 1],
    ['no PDF', 'conversion_failed', Buffer.from('<html>'), 1],
    ['fewer pages than it was found to have', 'conversion_failed', makePdf({ pages: [{ text: '' }], count: 9 }), 9],
  ])('%s: %s', async ([, reason, bytes, pages]) => {
    expect((await unlockBytes(unlocker, bytes, pages)).made).toEqual({ ok: false, reason });
  });

  test('one that takes too long or too much memory fails alone', async () => {
    const [impatient, frugal] = [
      createUnlocker({ log, timeoutMs: 1 }),
      createUnlocker({ log, memoryMaxBytes: 300 * 2 ** 20 }),
    ];
    const bomb = makePdf({
      pages: [{ content: { entries: '/Filter /FlateDecode', bytes: deflateSync(Buffer.alloc(400_000_000)) } }],
    });
    for (const limited of [impatient, frugal])
      expect((await unlockBytes(limited, bomb)).made).toEqual({ ok: false, reason: 'conversion_failed' });
    const fine = drawPages([{ texts: lines(72, 100, ['Something']) }]);
    expect((await unlockBytes(frugal, fine)).made).toMatchObject({ ok: true });
    await Promise.all([impatient.close(), frugal.close()]);
  });

  test.for<[kills: number, made: object]>([
    [1, { ok: true, pages: 2 }],
    [2, { ok: false, reason: 'conversion_failed' }],
  ])('one whose process ends unexpectedly is tried a second time: %i', async ([kills, made]) => {
    const unlocking = () => pdfProcessesOf(process.pid, 'unlock/convert/process/main.ts');
    const seen = new Set(unlocking());
    const fresh = createUnlocker({ log });
    onTestFinished(() => fresh.close());
    const unlocked = unlockBytes(fresh, pileOfWords(), 2);
    for (let kill = 0; kill < kills; kill++) {
      await waitUntil(() => unlocking().some((pid) => !seen.has(pid)));
      for (const pid of unlocking().filter((pid) => !seen.has(pid))) {
        seen.add(pid);
        process.kill(pid, 'SIGKILL');
      }
    }
    expect((await unlocked).made).toMatchObject(made);
  });

  test('a page of a hundred thousand words in one place comes to an end', async () => {
    const { made } = await unlockBytes(unlocker, pileOfWords(), 2);
    expect(made).toMatchObject({ ok: true, pages: 2 });
  });
});
