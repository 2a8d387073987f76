import { findSeals } from '../../../src/pdf/reading/find-seals.ts';
import { replaced, withRange } from '../tampering.ts';
import { appended, appendedBody, nextNumber, numberWith, objectOf, rootOf } from './update.ts';

/**
 * Universal signature forgery, incremental saving and signature wrapping (V. Mladenov, C. Mainka, K. Meyer zu Selhausen,
 * M. Grothe, J. Schwenk: "1 Trillion Dollar Refund – How To Spoof PDF Signatures", ACM CCS 2019).
 */
export type Attack = (pdf: Buffer) => Buffer | Promise<Buffer>;

const page = (pdf: Buffer) => numberWith(pdf, '/MediaBox');
const seal = (pdf: Buffer) => numberWith(pdf, '/ByteRange [0 ');

/** Replaces the text that the page shows. */
function otherPage(pdf: Buffer): Record<number, string> {
  const number = nextNumber(pdf);
  return {
    [page(pdf)]: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Contents ${number} 0 R >>`,
    [number]: `<< /Length ${words.length} >>\nstream\n${words}\nendstream`,
  };
}

/** The text that the attacks show. */
export const wanted = 'Price: 1 dollar';
export const words = `BT /F1 24 Tf 72 700 Td (${wanted}) Tj ET`;
export const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';

const range = /\/ByteRange \[[^\]]*\]/;
const contents = /\/Contents <[0-9A-F]+>/;
/** Writes within the existing space, so that every offset stays correct. */
const swapped = (pattern: RegExp, text: string) => (pdf: Buffer) =>
  replaced(pdf, pattern, (match) => text.padEnd(match.length));

export const forgeries: Record<string, Attack> = {
  'USF: no /ByteRange': swapped(range, ''),
  'USF: /ByteRange is null': swapped(range, '/ByteRange null'),
  'USF: /ByteRange is empty': swapped(range, '/ByteRange []'),
  'USF: /ByteRange of zeros': (pdf) => withRange(pdf, () => [0, 0, 0, 0]),
  'USF: negative lengths': swapped(range, '/ByteRange [0 -1 -1 -1]'),
  'USF: a range of one part': swapped(range, '/ByteRange [0 99]'),
  'USF: a range of six numbers': swapped(range, '/ByteRange [0 9 9 9 9 9]'),
  'USF: a range beyond the file': (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0]) => [a, b, c, 999_999_999]),
  'USF: a range that overlaps itself': (pdf) => withRange(pdf, ([a = 0, b = 0, , d = 0]) => [a, b, 0, d]),
  'USF: no /Contents': swapped(contents, ''),
  'USF: /Contents is null': swapped(contents, '/Contents null'),
  'USF: /Contents is empty': swapped(contents, '/Contents <>'),
  'USF: /Contents is one zero byte': swapped(contents, '/Contents <00>'),
  'USF: no /ByteRange in a later copy of the signature': (pdf) =>
    appended(pdf, { [seal(pdf)]: objectOf(pdf, seal(pdf)).replace(range, ''), ...otherPage(pdf) }),
  'USF: no /Contents in a later copy of the signature': (pdf) =>
    appended(pdf, { [seal(pdf)]: objectOf(pdf, seal(pdf)).replace(contents, ''), ...otherPage(pdf) }),
};

export const savings: Record<string, Attack> = {
  'ISA: an update': (pdf) => appended(pdf, otherPage(pdf)),
  'ISA: objects without a table and a trailer': (pdf) => appendedBody(pdf, otherPage(pdf)),
  'ISA: objects with a trailer without a table': (pdf) =>
    appendedBody(pdf, otherPage(pdf), `trailer\n<< /Root ${rootOf(pdf)} 0 R >>\n`),
  'ISA: an update with a copy of the signature': (pdf) =>
    appended(pdf, { ...otherPage(pdf), [seal(pdf)]: objectOf(pdf, seal(pdf)) }),
  'ISA: a copy of the signature whose range ends with the file': (pdf) => {
    const copy = (end: number) =>
      appended(pdf, {
        ...otherPage(pdf),
        [seal(pdf)]: objectOf(pdf, seal(pdf)).replace(range, (match) => {
          const [, , start = 0] = (match.match(/\d+/g) ?? []).map(Number);
          return match.replace(/ \d+ *\]/, ` ${String(end - start).padStart(9, '0')}]`);
        }),
      });
    return copy(copy(0).length);
  },
  'ISA: an update before the end of the file': (pdf) => {
    const end = pdf.lastIndexOf('startxref');
    return Buffer.concat([appended(pdf.subarray(0, end), otherPage(pdf)), pdf.subarray(end)]);
  },
};

/** Moves the second signed part to the end, and puts something else in its place. */
function wrapped(pdf: Buffer, isNamed: boolean): Buffer {
  const own = findSeals(pdf).at(-1);
  if (own === undefined) throw new Error('there is no seal');
  const [, gapStart, gapEnd] = own.range;
  const objects = otherPage(pdf);
  const inserted = appended(pdf.subarray(0, gapEnd), objects, rootOf(pdf)).subarray(gapEnd);
  const moved = Buffer.concat([pdf.subarray(0, gapEnd), inserted, pdf.subarray(gapEnd)]);
  return isNamed ? withRange(moved, ([, , , d = 0]) => [0, gapStart, gapEnd + inserted.length, d]) : moved;
}

export const wrappings: Record<string, Attack> = {
  'SWA: the second part moved, with the range changed': (pdf) => wrapped(pdf, true),
  'SWA: the second part moved, with the range as it was': (pdf) => wrapped(pdf, false),
  'SWA: the signed file as a stream inside another': (pdf) => {
    const head = Buffer.from(`%PDF-1.7\n9 0 obj\n<< /Length ${pdf.length} >>\nstream\n`);
    return appended(Buffer.concat([head, pdf, Buffer.from('\nendstream\nendobj\n')]), otherPage(pdf));
  },
  'SWA: something put before the header': (pdf) => Buffer.concat([Buffer.from('%!PS\n% other words\n'), pdf]),
};
