import { withoutDirectionOverrides } from '../../platform/direction-overrides.ts';
import { formArabic, hasArabic } from './arabic-forms.ts';
import { bidi } from './bidi.ts';
import type { FontFile } from './font-files.ts';
import { hasNoSpaces, scriptRuns } from './shaped-scripts.ts';
import { type Cluster, type PlacedGlyph, shapeRun } from './shaper.ts';
import { type FontStack, type Typeface, typeface } from './typefaces.ts';

/** A character, or several drawn as one, and the font that draws it. */
export interface Glyph {
  /** Null when no font has the character. A box with its code is drawn instead. */
  typeface: Typeface | null;
  /** The characters drawn. */
  shown: string;
  /** Glyphs chosen by the shaping engine. Null when each character has its own glyph. */
  placed: PlacedGlyph[] | null;
  /** The characters of the text, as copied from the PDF. */
  source: string;
  /** In thousandths of the font size. */
  width: number;
  /** Embedding level of the bidirectional algorithm. Odd levels are right to left. */
  level: number;
  /** Whether a word begins here, in a script without spaces between words. */
  beginsWord: boolean;
}

export interface ShapedText {
  /** In reading order. */
  glyphs: Glyph[];
  /** Whether the paragraph is right to left. */
  rightToLeft: boolean;
}

/** Width of the box for a missing character, with its side bearings. */
export const boxWidth = 740;

const rightToLeftScript = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Invisible characters: joiners, variation selectors, direction marks, soft hyphens and tags. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Chooses the font and width of every character of a paragraph. The text must have no line breaks. */
export function shapeText(text: string, stack: FontStack): ShapedText {
  const paragraph = normalize(text);
  const directions = rightToLeftScript.test(paragraph) ? bidi().getEmbeddingLevels(paragraph) : null;
  const glyphs: Glyph[] = [];
  let index = 0;
  for (const run of scriptRuns(paragraph)) {
    const levelAt = (offset: number, from = index) => directions?.levels[from + offset] ?? 0;
    glyphs.push(
      ...(run.font === null
        ? drawCharacters(run.text, levelAt, stack)
        : drawShaped(run.text, run.font, levelAt(0), stack)),
    );
    index += run.text.length;
  }
  return { glyphs, rightToLeft: (directions?.paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/** Normalizes a text to NFC and one kind of space. */
function normalize(text: string): string {
  return withoutDirectionOverrides(text)
    .toWellFormed()
    .normalize('NFC')
    .replace(/\t/g, '    ')
    .replace(/[\u2000-\u200a\u202f\u205f]/g, ' ');
}

function drawCharacters(text: string, levelAt: (offset: number) => number, stack: FontStack): Glyph[] {
  const glyphs: Glyph[] = [];
  let offset = 0;
  for (const { shown, source } of graphemesOf(text)) {
    const level = levelAt(offset);
    glyphs.push(...draw(level % 2 ? mirrored(shown) : shown, source, level, stack));
    offset += source.length;
  }
  return glyphs;
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Draws text of one script with the shaping engine. */
function drawShaped(text: string, font: FontFile, level: number, stack: FontStack): Glyph[] {
  const isRightToLeft = level % 2 === 1;
  const wordStarts = hasNoSpaces(font) ? new Set(Array.from(words.segment(text), ({ index }) => index)) : null;
  let offset = 0;
  return shapeRun(text, font, isRightToLeft).flatMap((cluster) => {
    const beginsWord = wordStarts?.has(offset) === true && /^\p{L}/u.test(cluster.text);
    offset += cluster.text.length;
    // If the font lacks a character of a cluster, the other characters are still drawn.
    const parts = isComplete(cluster)
      ? [cluster]
      : [...cluster.text].flatMap((part) => shapeRun(part, font, isRightToLeft));
    return parts.flatMap((part, i) =>
      isComplete(part)
        ? [
            {
              ...glyph(typeface(font), part.text, part.text, level),
              placed: part.glyphs,
              width: part.width,
              beginsWord: beginsWord && i === 0,
            },
          ]
        : draw(part.text, part.text, level, stack),
    );
  });
}

function isComplete({ glyphs }: Cluster): boolean {
  return glyphs.every(({ id }) => id !== 0);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function graphemesOf(paragraph: string): Iterable<{ shown: string; source: string }> {
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

  // No single font has all characters, for example a letter with a rare mark. Or an emoji has a skin colour, which would
  // print as a black patch.
  if (shown !== source) return draw(source, source, level, stack);
  const parts = [...visible].filter((part, i) => i === 0 || !/\p{Emoji_Modifier}/u.test(part));
  return parts.map((part) => glyph(firstWith(part, stack), part, parts.length === 1 ? source : part, level));
}

function glyph(face: Typeface | null, shown: string, source: string, level: number): Glyph {
  let width = 0;
  for (const character of shown) width += face === null ? boxWidth : face.widthOf(character.codePointAt(0) ?? 0);
  return { typeface: face, shown, source, placed: null, width, level, beginsWord: false };
}

/** Private-use characters and control codes. Each font draws them differently, so none is used for them. */
const unassigned = /[\p{Co}\p{Cc}]/u;

function firstWith(text: string, stack: FontStack): Typeface | null {
  if (unassigned.test(text)) return null;
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
