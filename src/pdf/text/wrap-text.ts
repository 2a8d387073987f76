import { type Glyph, shapeText } from './shape-text.ts';
import type { FontStack } from './typefaces.ts';

export interface Line {
  /** From left to right. */
  glyphs: Glyph[];
  /** Points. */
  width: number;
  rightToLeft: boolean;
}

export interface TextStyle {
  stack: FontStack;
  /** Points. */
  size: number;
}

/** Wraps a text into lines of at most `maxWidth` points. Keeps line breaks and empty lines. */
export function wrapText(text: string, { stack, size }: TextStyle, maxWidth: number): Line[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).flatMap((paragraph) => {
    const { glyphs, rightToLeft } = shapeText(paragraph, stack);
    return breakLines(glyphs, (maxWidth * 1000) / size).map((line) => {
      const visible = trimEnd(line);
      return { glyphs: inVisualOrder(visible), width: (widthOf(visible) * size) / 1000, rightToLeft };
    });
  });
}

/** Puts a text on a single line, truncated with an ellipsis at `maxWidth` points. */
export function oneLine(text: string, { stack, size }: TextStyle, maxWidth: number): Line {
  const { glyphs, rightToLeft } = shapeText(text.replace(/\s+/g, ' '), stack);
  const limit = (maxWidth * 1000) / size;
  const shown = widthOf(glyphs) <= limit ? glyphs : truncate(glyphs, limit, shapeText('…', stack).glyphs);
  return { glyphs: inVisualOrder(shown), width: (widthOf(shown) * size) / 1000, rightToLeft };
}

function breakLines(glyphs: Glyph[], limit: number): Glyph[][] {
  const lines: Glyph[][] = [];
  let start = 0;
  let lastBreak = 0;
  let width = 0;
  for (let i = 0; i < glyphs.length; i++) {
    const glyph = glyphs[i] as Glyph;
    if (i > start && mayBreakBetween(glyphs[i - 1] as Glyph, glyph)) lastBreak = i;
    width += glyph.width;
    // A space beyond the limit is invisible, and a mark belongs to the previous letter.
    if (width <= limit || i === start || isSpace(glyph) || isMark(glyph)) continue;
    const end = lastBreak > start ? lastBreak : i;
    lines.push(glyphs.slice(start, end));
    start = end;
    width = 0;
    i = end - 1; // the rest is measured on the next line
  }
  lines.push(glyphs.slice(start));
  return lines;
}

/** Allows breaks after spaces and hyphens, and around ideographs, but not before closing or after opening punctuation. */
function mayBreakBetween(before: Glyph, after: Glyph): boolean {
  if (isSpace(after) || isMark(after)) return false;
  if (isSpace(before) || after.beginsWord) return true;
  if (/^[-\u2010\u2013\u2014]$/.test(before.source)) return /^[\p{L}\p{N}]/u.test(after.source);
  if (!isIdeographic(before) && !isIdeographic(after)) return false;
  return (
    !/^[、。，．・：；？！）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)\]}%’”…]/u.test(
      after.source,
    ) && !/^[（［｛「『【〈《〔([{‘“]/u.test(before.source)
  );
}

function isIdeographic(glyph: Glyph): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uffef]/u.test(
    glyph.source,
  );
}

function isSpace(glyph: Glyph): boolean {
  return glyph.source === ' ' || glyph.source === '\u3000';
}

function isMark(glyph: Glyph): boolean {
  return glyph.typeface !== null && glyph.placed === null && /^\p{M}/u.test(glyph.source);
}

/** Applies rule L2 of the bidirectional algorithm: reverses runs of each level, from the highest level down. */
function inVisualOrder(glyphs: Glyph[]): Glyph[] {
  const highest = glyphs.reduce((level, glyph) => Math.max(level, glyph.level), 0);
  if (highest === 0) return glyphs;
  const ordered = [...glyphs];
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      if ((ordered[start]?.level ?? 0) < level) continue;
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

function trimEnd(glyphs: Glyph[]): Glyph[] {
  let end = glyphs.length;
  while (end > 0 && isSpace(glyphs[end - 1] as Glyph)) end -= 1;
  return glyphs.slice(0, end);
}

function truncate(glyphs: Glyph[], limit: number, ellipsis: Glyph[]): Glyph[] {
  let end = glyphs.length;
  while (end > 0 && widthOf(glyphs.slice(0, end)) + widthOf(ellipsis) > limit) end -= 1;
  return [...trimEnd(glyphs.slice(0, end)), ...ellipsis];
}

function widthOf(glyphs: Glyph[]): number {
  let width = 0;
  for (const glyph of glyphs) width += glyph.width;
  return width;
}
