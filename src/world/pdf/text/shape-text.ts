import { formArabic, hasArabic } from './arabic-forms.ts';
import { bidi } from './bidi.ts';
import { type FontStack, type Typeface, typeface } from './typefaces.ts';

/** What a reader takes for one character, and what draws it. */
export interface Glyph {
  /** Null: no font has it, and a box with its code stands in its place. */
  typeface: Typeface | null;
  /** The characters drawn. */
  shown: string;
  /** The characters meant, which is what one copies out of the PDF. */
  source: string;
  /** In thousandths of the font size. */
  width: number;
  /** Embedding level of the bidirectional algorithm: odd levels run right to left. */
  level: number;
}

export interface ShapedText {
  /** In reading order. */
  glyphs: Glyph[];
  /** Whether the paragraph as a whole runs right to left. */
  rightToLeft: boolean;
}

/** Of the box that stands for a character no font has, with its side bearings. */
export const boxWidth = 740;

const rightToLeftScript = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Joiners, variation selectors, direction marks, soft hyphens, tags: nothing to draw, and nothing missed. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Chooses for every character of one paragraph (no line breaks) what draws it and how wide that is. */
export function shapeText(text: string, stack: FontStack): ShapedText {
  const paragraph = tidy(text);
  const directions = rightToLeftScript.test(paragraph) ? bidi().getEmbeddingLevels(paragraph) : null;
  const glyphs: Glyph[] = [];
  let index = 0;
  for (const { shown, source } of readersCharacters(paragraph)) {
    const level = directions?.levels[index] ?? 0;
    glyphs.push(...draw(level % 2 ? mirrored(shown) : shown, source, level, stack));
    index += source.length;
  }
  return { glyphs, rightToLeft: (directions?.paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/**
 * One spelling for equal texts, one kind of space, and none of the characters that override direction: with those, a
 * signed title could read differently from what was signed.
 */
function tidy(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\t/g, '    ')
    .replace(/[\u2000-\u200a\u202f\u205f]/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function readersCharacters(paragraph: string): Iterable<{ shown: string; source: string }> {
  if (hasArabic(paragraph)) return formArabic(paragraph);
  const isPlain = /^[\x20-\x7e]*$/.test(paragraph);
  const characters = isPlain ? [...paragraph] : Array.from(graphemes.segment(paragraph), ({ segment }) => segment);
  return characters.map((character) => ({ shown: character, source: character }));
}

function mirrored(character: string): string {
  return bidi().getMirroredCharacter(character) ?? character;
}

function draw(shown: string, source: string, level: number, stack: FontStack): Glyph[] {
  const visible = withoutIgnorable(shown);
  if (visible === '') return [];
  const whole = firstWith(visible, stack);
  if (whole !== null && !/.\p{Emoji_Modifier}/u.test(visible)) return [glyph(whole, visible, source, level)];

  // No single font has it all: a letter with a rare mark, a form the font lacks. Or an emoji with a skin colour, which
  // black ink cannot show and would print as a patch.
  if (shown !== source) return draw(source, source, level, stack);
  const parts = [...visible].filter((part, i) => i === 0 || !/\p{Emoji_Modifier}/u.test(part));
  return parts.map((part) => glyph(firstWith(part, stack), part, parts.length === 1 ? source : part, level));
}

function glyph(face: Typeface | null, shown: string, source: string, level: number): Glyph {
  let width = 0;
  for (const character of shown) width += face === null ? boxWidth : face.widthOf(character.codePointAt(0) ?? 0);
  return { typeface: face, shown, source, width, level };
}

/** Private characters and control codes mean something else in every font that draws them, so none may. */
const meaningless = /[\p{Co}\p{Cc}]/u;

function firstWith(text: string, stack: FontStack): Typeface | null {
  if (meaningless.test(text)) return null;
  for (const file of stack) {
    const face = typeface(file);
    if (hasAll(face, text)) return face;
  }
  return null;
}

export function hasAll(face: Typeface, text: string): boolean {
  for (const character of text) if (!face.has(character.codePointAt(0) ?? 0)) return false;
  return true;
}

function withoutIgnorable(text: string): string {
  if (text.length === 1 && text.charCodeAt(0) < 0x7f) return text;
  return [...text].filter((character) => !ignorable.test(character)).join('');
}
