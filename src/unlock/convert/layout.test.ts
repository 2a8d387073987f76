import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createUnlocker } from './create-unlocker.ts';
import { type DrawnPage, drawPages, lines, nextObject } from './testing/draw-pages.ts';
import { shownPages, unlockBytes } from './testing/unlock-bytes.ts';

const unlocker = createUnlocker({ log: createLog('silent') });
afterAll(() => unlocker.close());

async function shown(pages: DrawnPage[], extra?: Parameters<typeof drawPages>[1]): Promise<string[]> {
  const found = await unlockBytes(unlocker, drawPages(pages, extra), pages.length);
  return shownPages(found.pages);
}

const left = [
  'The left column is read first and',
  'from its top to its bottom before',
  'anything that is to the right of it',
  'comes to be read by anybody.',
];
const right = [
  'The right column goes on where the',
  'left one has ended, whatever stands',
  'next to it on the same line of the',
  'page that both are printed upon.',
];
const body = (y: number, texts: string[]) => lines(72, y, texts);

describe('what a page turns into', () => {
  test('headings by their size and weight, paragraphs by their gaps and indentation', async () => {
    const page = {
      texts: [
        { x: 72, y: 80, text: 'Service agreement', size: 22, bold: true },
        { x: 72, y: 120, text: 'Scope of the work', size: 15 },
        ...body(145, [
          'The contractor repairs the roof of the house and of the garage, and leaves the',
          'place as clean as it was found. Nothing else is part of this agreement unless',
          'both have signed it.',
        ]),
        { x: 72, y: 190, text: 'Payment terms', bold: true },
        ...body(205, [
          'The price is due within thirty days of the last day of work. A late payment costs',
          'what the law allows.',
        ]),
        { x: 90, y: 229, text: 'A new paragraph may begin with an indentation instead of a gap, which is' },
        { x: 72, y: 241, text: 'how books are set.' },
      ],
    };
    expect(await shown([page])).toEqual([
      'h1 Service agreement',
      'h2 Scope of the work',
      'p The contractor repairs the roof of the house and of the garage, and leaves the place as clean as it was found. Nothing else is part of this agreement unless both have signed it.',
      'h3 Payment terms',
      'p The price is due within thirty days of the last day of work. A late payment costs what the law allows.',
      'p A new paragraph may begin with an indentation instead of a gap, which is how books are set.',
    ]);
  });

  test.for<[how: string, shift: number]>([
    ['on the same lines', 0],
    ['on lines of their own', 5],
  ])('two columns %s, one after the other, under a title and over a foot that span both', async ([, shift]) => {
    const texts = [
      { x: 72, y: 80, text: 'A title that spans both of the columns', size: 20 },
      ...lines(72, 110, left),
      ...lines(320, 110 + shift, right),
      {
        x: 72,
        y: 190,
        text: 'A closing remark goes from the one side of the page to the other side, over both columns.',
      },
    ];
    const expected = [
      'h1 A title that spans both of the columns',
      `p ${left.join(' ')}`,
      `p ${right.join(' ')}`,
      'p A closing remark goes from the one side of the page to the other side, over both columns.',
    ];
    expect(await shown([{ texts }])).toEqual(expected);
    // Files may draw their text in any order.
    expect(await shown([{ texts: texts.toReversed() }])).toEqual(expected);
  });

  test('three columns', async () => {
    const column = (name: string) =>
      ['first', 'second', 'third', 'fourth'].map((line) => `the ${line} line of ${name}`);
    const texts = ['one', 'two', 'three'].flatMap((name, index) => lines(60 + index * 180, 100, column(name)));
    expect(await shown([{ texts }])).toEqual(['one', 'two', 'three'].map((name) => `p ${column(name).join(' ')}`));
  });

  test('a table row by row, its cells with several lines and without any', async () => {
    const row = (y: number, cells: Array<string | null>) =>
      cells.flatMap((text, column) => (text === null ? [] : [{ x: [72, 200, 400][column] as number, y, text }]));
    const texts = [
      { x: 72, y: 80, text: 'What is delivered:' },
      ...row(110, ['Item', 'What it is', 'Price']).map((cell) => ({ ...cell, bold: true })),
      ...row(130, ['Slates', 'Welsh, of the first', '1,200.00']),
      ...row(142, [null, 'quality', null]),
      ...row(162, ['Battens', 'Treated', '300.00']),
      ...row(182, ['Total', null, '1,500.00']),
      {
        x: 72,
        y: 215,
        text: 'All of it is delivered before the work begins, at the cost of the contractor, to the site.',
      },
    ];
    expect(await shown([{ texts }])).toEqual([
      'p What is delivered:',
      'Item | What it is | Price',
      'Slates | Welsh, of the first quality | 1,200.00',
      'Battens | Treated | 300.00',
      'Total |  | 1,500.00',
      'p All of it is delivered before the work begins, at the cost of the contractor, to the site.',
    ]);
  });

  test('lists of bullets, numbers and letters, one within the other', async () => {
    const texts = [
      { x: 72, y: 80, text: 'The contractor brings:' },
      { x: 80, y: 96, text: '•' },
      { x: 95, y: 96, text: 'ladders that reach the roof from every side of the house, and the men who' },
      { x: 95, y: 108, text: 'know how to use them' },
      { x: 80, y: 120, text: '• slates' },
      { x: 72, y: 145, text: 'It is done in this order.' },
      { x: 72, y: 165, text: '1. Take off what is old.' },
      { x: 90, y: 177, text: '(a) First the slates,' },
      { x: 90, y: 189, text: '(b) then the battens.' },
      { x: 72, y: 201, text: '2. Put on what is new.' },
    ];
    expect(await shown([{ texts }])).toEqual([
      'p The contractor brings:',
      '• ladders that reach the roof from every side of the house, and the men who know how to use them',
      '• slates',
      'p It is done in this order.',
      '1. Take off what is old.',
      '  (a) First the slates,',
      '  (b) then the battens.',
      '2. Put on what is new.',
    ]);
  });

  test('a list that goes deeper than people can edit stays within what they can', async () => {
    const texts = Array.from({ length: 9 }, (_, level) => ({
      x: 72 + level * 20,
      y: 80 + level * 14,
      text: '• slates',
    }));
    const [, ...items] = await shown([{ texts: [{ x: 72, y: 60, text: 'The contractor brings:' }, ...texts] }]);
    expect(items.map((item) => item.indexOf('•') / 2)).toEqual([0, 1, 2, 3, 4, 5, 5, 5, 5]);
  });

  test('a line that happens to begin with a number, or an initial, begins no list', async () => {
    const texts = body(100, [
      'The parties met in the year that is named above, and again on the evening of May',
      '12. The second meeting is the one whose minutes are attached to this agreement as',
    ]);
    const initial = { x: 72, y: 160, text: 'A. Lovelace signs for the company.' };
    expect(await shown([{ texts: [...texts, initial] }])).toEqual([
      `p ${texts.map(({ text }) => text).join(' ')}`,
      'p A. Lovelace signs for the company.',
    ]);
  });

  test('a word that a hyphen divides is whole again, one that has a hyphen keeps it', async () => {
    const texts = body(100, [
      'Anyone who reads this agreement from its beginning to its end will under-',
      'stand the well-known parts of it.',
    ]);
    expect(await shown([{ texts }])).toEqual([
      'p Anyone who reads this agreement from its beginning to its end will understand the well-known parts of it.',
    ]);
  });

  test.for([90, 180, 270])('a page that is shown turned by %d degrees reads as it does upright', async (degrees) => {
    const texts = [{ x: 72, y: 80, text: 'Title', size: 20 }, ...lines(72, 110, left)];
    const turns = degrees / 90;
    const place = ({ x, y, ...rest }: (typeof texts)[number]) =>
      [
        { x, y },
        { x: y, y: 612 - x },
        { x: 792 - x, y: 612 - y },
        { x: 792 - y, y: x },
      ].map((at) => ({ ...rest, ...at, turns }))[turns] as DrawnPage['texts'][number];
    // The text is turned anticlockwise, and the page clockwise.
    const page = { width: 792, height: 612, texts: texts.map(place), entries: `/Rotate ${degrees}` };
    const found = await unlockBytes(unlocker, drawPages([page]));
    expect(shownPages(found.pages)).toEqual(['h1 Title', `p ${left.join(' ')}`]);
  });

  test('text that stands on its side comes after what reads as the page does', async () => {
    const texts = [{ x: 40, y: 400, text: 'Stamped on the margin', turns: 1 }, ...lines(72, 110, left)];
    const { pages } = await unlockBytes(unlocker, drawPages([{ texts }]));
    expect(shownPages(pages)).toEqual([`p ${left.join(' ')}`, 'p Stamped on the margin']);
    const [, side] = pages[0]?.blocks ?? [];
    expect(side).toMatchObject({ x: expect.closeTo(33, 0), width: expect.closeTo(9, -1) });
    expect(side?.height).toBeGreaterThan(80);
  });

  test('form fields where they stand, with what they are called and hold', async () => {
    const field = (type: string, name: string, rect: string, more: string) =>
      `<< /Type /Annot /Subtype /Widget /FT /${type} /T (${name}) /Rect [${rect}] /F 4 ${more} >>`;
    const objects = [
      field('Tx', 'full_name', '150 660 300 676', '/V (Ada Lovelace)'),
      field('Tx', 'born', '150 630 300 646', '/TU (Date of birth)'),
      field('Btn', 'agrees', '72 600 84 612', `/V /Yes /AS /Yes /AP << /N << /Yes ${nextObject + 5} 0 R >> >>`),
      field('Sig', 'signature', '72 540 300 570', ''),
      field('Tx', 'hidden', '72 500 300 520', '').replace('/F 4', '/F 2'),
    ];
    const tick = '<< /Type /XObject /Subtype /Form /BBox [0 0 12 12] /Length 0 >>\nstream\n\nendstream';
    const references = objects.map((_, index) => `${nextObject + index} 0 R`).join(' ');
    const texts = [
      { x: 72, y: 128, text: 'Full name:' },
      { x: 72, y: 158, text: 'Born:' },
      { x: 90, y: 190, text: 'I agree to all of it' },
    ];
    const page = { texts, entries: `/Annots [${references}]` };
    const catalog = `/AcroForm << /Fields [${references}] >>`;
    expect(await shown([page], { catalog, objects: [...objects, tick] })).toEqual([
      'p Full name:',
      '[text] Full name = Ada Lovelace',
      'p Born:',
      '[text] Date of birth = null',
      'p I agree to all of it',
      '[checkbox] I agree to all of it = true',
      '[signature] null = null',
    ]);
  });

  test('values of form fields are one line each, and cut where editing has its limit', async () => {
    const values = ['First\u2028line\u2029end\r\nof it', 'a'.repeat(19_999), `${'b'.repeat(19_999)}\u{1f3e0}c`];
    const objects = values.map((value, index) => {
      const utf16 = Buffer.from(`\ufeff${value}`, 'utf16le').swap16().toString('hex');
      const rect = `72 ${700 - index * 30} 300 ${716 - index * 30}`;
      return `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${index}) /TU (${index}) /Rect [${rect}] /F 4 /V <${utf16}> >>`;
    });
    const references = objects.map((_, index) => `${nextObject + index} 0 R`).join(' ');
    const page = { texts: [], entries: `/Annots [${references}]` };
    const catalog = `/AcroForm << /Fields [${references}] >>`;
    expect(await shown([page, { texts: body(100, ['The next page']) }], { catalog, objects })).toEqual([
      '[text] 0 = First line end of it',
      `[text] 1 = ${'a'.repeat(19_999)}`,
      `[text] 2 = ${'b'.repeat(19_999)}`,
      'p The next page',
    ]);
  });

  test('levels of headings are those of the whole document', async () => {
    const chapter = (title: string, text: string) => ({
      texts: [{ x: 72, y: 80, text: title, size: 18 }, ...lines(72, 110, left), { x: 72, y: 170, text, size: 13 }],
    });
    const found = await shown([
      chapter('One', 'first'),
      chapter('Two', 'second'),
      { texts: [{ x: 72, y: 80, text: 'third', size: 13 }] },
    ]);
    expect(found.filter((line) => line.startsWith('h'))).toEqual([
      'h1 One',
      'h2 first',
      'h1 Two',
      'h2 second',
      'h2 third',
    ]);
  });

  test('positions are of the page as shown, in points from its top left corner', async () => {
    const { pages } = await unlockBytes(unlocker, drawPages([{ texts: [{ x: 100, y: 200, text: 'Here', size: 20 }] }]));
    expect(pages[0]).toMatchObject({ page: 1, width: 612, height: 792, source: 'text' });
    const [block] = pages[0]?.blocks ?? [];
    expect(block).toMatchObject({ text: 'Here', size: 20, bold: false, italic: false, rtl: false });
    expect(Math.abs((block?.x ?? 0) - 100)).toBeLessThan(3);
    expect(Math.abs((block?.y ?? 0) + (block?.height ?? 0) - 200)).toBeLessThan(3);
  });
});
