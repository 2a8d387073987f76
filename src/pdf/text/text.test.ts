import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { formArabic } from './arabic-forms.ts';
import { shapeText } from './shape-text.ts';
import { prepareShaping, shapeRun } from './shaper.ts';
import { fontStacks } from './typefaces.ts';
import { oneLine, wrapText } from './wrap-text.ts';

const style = { stack: fontStacks.serif, size: 10 };
const linesOf = (text: string, width: number) =>
  wrapText(text, style, width).map((line) => line.glyphs.map(({ source }) => source).join(''));

beforeAll(() => prepareShaping('ไทย'));

test('breaks at spaces and hyphens, and inside a word only when it is longer than a line', () => {
  expect(linesOf('one two three', 40)).toEqual(['one two', 'three']);
  expect(linesOf('well-known', 36)).toEqual(['well-', 'known']);
  expect(linesOf('2026-03-14 to -5', 60)).toEqual(['2026-03-14', 'to -5']);
  const long = linesOf('incomprehensibilities', 30);
  expect(long.length).toBeGreaterThan(2);
  expect(long.join('')).toBe('incomprehensibilities');
});

test('keeps empty lines and all kinds of line breaks', () => {
  expect(linesOf('a\n\nb\r\nc\u2028d', 100)).toEqual(['a', '', 'b', 'c', 'd']);
  expect(linesOf('', 100)).toEqual(['']);
});

test('breaks Chinese and Japanese between characters, but never before a full stop', () => {
  const lines = linesOf('契約書を確認しました。山田', 55);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.every((line) => !line.startsWith('。'))).toBe(true);
});

test('breaks Thai between words, which have no spaces', () => {
  expect(linesOf('ข้าพเจ้าเข้าใจข้อตกลง', 45)).toEqual(['ข้าพเจ้า', 'เข้าใจข้อ', 'ตกลง']);
});

test('lines of any text stay within the width and lose no character', () => {
  const letters = fc.constantFrom(...'क्षति\u200dर्मเน้ำဖြကြமிழ்ព្រះބަހް।');
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ unit: letters, maxLength: 80 }));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 200 }), (content, width) => {
      const lines = wrapText(content, style, width);
      for (const line of lines) {
        const isSingle = line.glyphs.filter((glyph) => glyph.width > 0).length <= 1;
        if (!isSingle) expect(line.width).toBeLessThanOrEqual(width + 0.001);
      }
      const visible = (value: string) =>
        [...value.toWellFormed().normalize('NFC')]
          .filter(
            (character) => !/[\s\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069\u0085]/u.test(character),
          )
          .sort()
          .join('');
      const drawn = lines.flatMap((line) => line.glyphs.map(({ source }) => source)).join('');
      expect(visible(drawn)).toBe(visible(content));
    }),
    { numRuns: 500 },
  );
});

test('a character without a font becomes a box, and so does a private-use character', () => {
  const { glyphs } = shapeText('a\u{e000}\u0007\u{10efff}b', style.stack);
  expect(glyphs.map(({ typeface }) => typeface?.file ?? 'box')).toEqual(['serif', 'box', 'box', 'box', 'serif']);
});

test('right-to-left text is laid out from the right, but its numbers and Latin words from the left', () => {
  expect(linesOf('אבג 123 abc', 500)).toEqual(['abc 123 גבא']);
  expect(wrapText('אבג', style, 500)[0]?.rightToLeft).toBe(true);
  expect(linesOf('see (אב) now', 500)).toEqual(['see (בא) now']);
});

test('direction overrides are removed', () => {
  expect(linesOf('invoice\u202efdp.exe\u202c', 500)).toEqual(['invoicefdp.exe']);
});

test('Arabic letters take the form for their position', () => {
  const forms = (text: string) =>
    formArabic(text)
      .map(({ shown }) => shown.codePointAt(0)?.toString(16))
      .join(' ');
  expect(forms('ب')).toBe('fe8f');
  expect(forms('ببب')).toBe('fe91 fe92 fe90');
  expect(forms('دب')).toBe('fea9 fe8f'); // dal does not join the letter after it
  expect(forms('لا')).toBe('fefb');
  expect(forms('بلا')).toBe('fe91 fefc');
  expect(forms('بَب')).toBe('fe91 64e fe90'); // a vowel mark does not separate letters
  expect(formArabic('سلام')[1]).toEqual({ shown: '\ufefc', source: 'لا' });
});

test('letters that depend on their neighbours are drawn together with the font of their script', () => {
  const { glyphs } = shapeText('क्षितिज, สวัสดี', style.stack);
  expect(glyphs.map(({ source }) => source)).toEqual(['क्षि', 'ति', 'ज', ',', ' ', 'ส', 'วั', 'ส', 'ดี']);
  const [first, , , comma] = glyphs;
  expect(first?.typeface?.file).toBe('devanagari');
  expect(first?.placed).toHaveLength(2); // the conjunct is one glyph, the vowel before it the other
  expect([comma?.typeface?.file, comma?.placed]).toEqual(['serif', null]);
  expect(glyphs.at(-1)?.typeface?.file).toBe('thai');
});

test('the position of a mark depends on its letter', () => {
  const [tall, low] = ['ป่', 'ก่'].map((text) => shapeRun(text, 'thai', false)[0]?.glyphs[1]);
  expect(tall?.id === low?.id && tall?.x === low?.x).toBe(false); // next to the stem of the first, above the second
});

test('a character that the font of its script lacks becomes a box, and the letters around it are drawn', () => {
  const { glyphs } = shapeText('ក\u{17ff}ខ', style.stack);
  expect(glyphs.map(({ typeface }) => typeface?.file ?? 'box')).toEqual(['khmer', 'box', 'khmer']);
});

test('an emoji with several parts is one character', () => {
  const sources = shapeText('👩‍💻👍🏽', style.stack).glyphs.map(({ source }) => source);
  expect(sources).toEqual(['👩‍💻', '👍🏽']);
});

test('a single line that is too wide is truncated with an ellipsis', () => {
  const line = oneLine('A title that is far too long for its place', style, 80);
  expect(line.width).toBeLessThanOrEqual(80);
  expect(line.glyphs.map(({ source }) => source).join('')).toMatch(/^A title.*…$/);
  expect(oneLine('short', style, 80).glyphs).toHaveLength(5);
});
