import type { PDF } from '@libpdf/core';

type EmbeddedFont = ReturnType<PDF['embedFont']>;

/** Private-use characters, one per glyph number. `shape-text.ts` never draws them as text. */
const privateFirst = 0xe000;
const privateLast = 0xf8ff;

/** For each font of a document: the character that each glyph chosen by number represents. */
const charactersOfGlyphs = new WeakMap<EmbeddedFont, Map<number, number>>();

/**
 * Embeds a glyph by its number, as chosen by the shaping engine. libpdf only embeds the glyphs of characters, and many glyphs
 * have no character. `text` is the text that the glyph represents, alone or together with other glyphs.
 */
export function encodeGlyph(font: EmbeddedFont, id: number, text: string): void {
  const known = charactersOfGlyphs.get(font) ?? acceptGlyphNumbers(font);
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

function acceptGlyphNumbers(font: EmbeddedFont): Map<number, number> {
  const { font: program } = font.program as unknown as { font: { cmap: { getUnicodeCmap(): CharacterMap } } };
  const map = program.cmap.getUnicodeCmap();
  if (!extended.has(map)) {
    const getGlyphId = map.getGlyphId.bind(map);
    map.getGlyphId = (character) =>
      character >= privateFirst && character <= privateLast ? character - privateFirst : getGlyphId(character);
    extended.add(map);
  }
  const known = new Map<number, number>();
  font.getGidToCodePointMap = () => new Map(known);
  charactersOfGlyphs.set(font, known);
  return known;
}

/** Character maps already extended. Documents share parsed fonts. */
const extended = new WeakSet<CharacterMap>();
