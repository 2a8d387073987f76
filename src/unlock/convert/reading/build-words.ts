import type { TextCharacter } from '../../../pdf/pdfium/characters.ts';
import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import { cleanText } from '../layout/clean-text.ts';
import { isRightToLeft } from '../layout/scripts.ts';
import { enclose, type Word } from '../layout/word.ts';
import { type Size, turnBox } from './upright.ts';

/** A character, with its position on the page turned upright. */
interface Upright {
  text: string;
  box: Box;
  of: TextCharacter;
}

/** A wider gap separates words, also without a space. In parts of the font size. */
const gapMax = 0.5;
const softHyphen = '\u00ad';

/** Builds words from characters with the same rotation. `turns` is the number of quarter turns that make them upright. */
export function buildWords(characters: readonly TextCharacter[], turns: number, page: Size): Word[] {
  const words: Word[] = [];
  let current: Upright[] = [];
  const end = () => {
    const word = current.length === 0 ? null : wordOf(current, turns, page);
    if (word !== null) words.push(word);
    current = [];
  };
  for (const of of characters) {
    const { text, box } = of;
    if (box === null && text === softHyphen) {
      const last = current.at(-1);
      if (last !== undefined)
        current.push({ text, box: { ...last.box, x: last.box.x + last.box.width, width: 0 }, of });
    } else if (box === null || text.trim() === '') end();
    else {
      const upright = { text, box: turnBox(box, turns, page), of };
      const last = current.at(-1);
      if (last !== undefined && isApart(last, upright)) end();
      current.push(upright);
    }
  }
  end();
  return words;
}

function isApart(last: Upright, next: Upright): boolean {
  const size = Math.max(last.of.style.fontSize, next.of.style.fontSize, 1);
  const gap = Math.max(next.box.x - last.box.x - last.box.width, last.box.x - next.box.x - next.box.width);
  const drop = Math.max(next.box.y - last.box.y - last.box.height, last.box.y - next.box.y - next.box.height);
  return gap > gapMax * size || drop > gapMax * size;
}

function wordOf(characters: readonly Upright[], turns: number, page: Size): Word | null {
  const text = cleanText(inReadingOrder(characters).join('')).replace(/\u00ad(?!$)/g, '');
  if (text === '' || text === softHyphen) return null;
  const style = dominant(characters);
  const { of } = characters.find((character) => character.of.style === style) as Upright;
  const baseline = turnBox({ x: of.baseline.x, y: of.baseline.y, width: 0, height: 0 }, turns, page);
  return {
    text,
    ...enclose(characters.map(({ box }) => box)),
    baseline: baseline.y,
    size: style.fontSize,
    bold: style.weight >= 600 || /bold|black|heavy/i.test(style.fontName),
    italic: style.isItalic || /italic|oblique/i.test(style.fontName),
  };
}

/** Returns characters in reading order. PDFium's order of Hebrew and Arabic is mostly right, but positions are reliable. */
function inReadingOrder(characters: readonly Upright[]): string[] {
  const texts = characters.map(({ text }) => text);
  if (!texts.some(isRightToLeft)) return texts;
  let rightward = 0;
  characters.slice(1).forEach(({ box }, index) => {
    rightward += Math.sign(box.x - (characters[index] as Upright).box.x);
  });
  return rightward > 0 ? texts.reverse() : texts;
}

function dominant(characters: readonly Upright[]) {
  const counts = new Map<TextCharacter['style'], number>();
  for (const { of } of characters) counts.set(of.style, (counts.get(of.style) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return (first as [TextCharacter['style'], number])[0];
}
