import type { PDF } from '@libpdf/core';

type EmbeddedFont = ReturnType<PDF['embedFont']>;

/** Characters that no text draws (`shape-text.ts`), one for each number of a glyph. */
const privateFirst = 0xe000;
const privateLast = 0xf8ff;

/** By font of a document: what each glyph that was chosen by number stands for. */
const meanings = new WeakMap<EmbeddedFont, Map<number, number>>();

/**
 * Has a glyph embedded that a shaping engine chose: libpdf embeds the glyphs of characters only, and many of these have
 * none. `text`: what it is drawn for, alone or with others.
 */
export function encodeGlyph(font: EmbeddedFont, id: number, text: string): void {
  const known = meanings.get(font) ?? openForNumbers(font);
  if (!known.has(id)) {
    const characters = Array.from(text, (character) => character.codePointAt(0) as number);
    known.set(
      id,
      characters.find((character) => font.program.getGlyphId(character) === id) ?? (characters[0] as number),
    );
  }
  font.encodeTextToGids(String.fromCharCode(privateFirst + id));
}

interface CharacterMap {
  getGlyphId(codePoint: number): number;
}

function openForNumbers(font: EmbeddedFont): Map<number, number> {
  const { font: program } = font.program as unknown as { font: { cmap: { getUnicodeCmap(): CharacterMap } } };
  const map = program.cmap.getUnicodeCmap();
  if (!opened.has(map)) {
    const getGlyphId = map.getGlyphId.bind(map);
    map.getGlyphId = (character) =>
      character >= privateFirst && character <= privateLast ? character - privateFirst : getGlyphId(character);
    opened.add(map);
  }
  const known = new Map<number, number>();
  font.getGidToCodePointMap = () => new Map(known);
  meanings.set(font, known);
  return known;
}

/** Of the fonts that were parsed, which documents share. */
const opened = new WeakSet<CharacterMap>();
