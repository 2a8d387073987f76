import { type FontFile, fontBytes } from './font-files.ts';
import { hasShapedScript } from './shaped-scripts.ts';

/** A glyph with its offset from the start of its cluster, in thousandths of the font size. y points upwards. */
export interface PlacedGlyph {
  /** Glyph number in the font. 0 is the glyph for a missing character. */
  id: number;
  x: number;
  y: number;
}

/** Characters that are drawn together. */
export interface Cluster {
  text: string;
  /** From left to right. */
  glyphs: PlacedGlyph[];
  /** In thousandths of the font size. */
  width: number;
}

type HarfBuzz = typeof import('harfbuzzjs');
type Font = InstanceType<HarfBuzz['Font']>;

let harfBuzz: HarfBuzz | undefined;
let workspace: InstanceType<HarfBuzz['Buffer']> | undefined;
const fonts = new Map<FontFile, { font: Font; unitsPerEm: number }>();

/** Loads the shaping engine if a text needs it. Call this before layout, which is synchronous. */
export async function prepareShaping(text: string): Promise<void> {
  if (harfBuzz === undefined && hasShapedScript(text)) harfBuzz = await import('harfbuzzjs');
}

/** Chooses and places the glyphs of a text in one script and direction. Returns clusters in reading order. */
export function shapeRun(text: string, file: FontFile, isRightToLeft: boolean): Cluster[] {
  if (harfBuzz === undefined) throw new Error('the shaping engine was not loaded before text that needs it');
  const { Buffer, Direction, shape } = harfBuzz;
  const { font, unitsPerEm } = openFont(harfBuzz, file);
  workspace ??= new Buffer();
  const buffer = workspace;
  buffer.reset();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
  shape(font, buffer);

  const clusters: Array<Cluster & { at: number }> = [];
  for (const {
    codepoint: id,
    cluster: at,
    xAdvance = 0,
    xOffset = 0,
    yOffset = 0,
  } of buffer.getGlyphInfosAndPositions()) {
    const last = clusters.at(-1);
    const cluster = last?.at === at ? last : { at, text: '', glyphs: [], width: 0 };
    if (cluster !== last) clusters.push(cluster);
    const scale = 1000 / unitsPerEm;
    cluster.glyphs.push({ id, x: cluster.width + xOffset * scale, y: yOffset * scale });
    cluster.width += xAdvance * scale;
  }
  const ordered = isRightToLeft ? clusters.reverse() : clusters;
  return ordered.map(({ at, glyphs, width }, i) => ({ text: text.slice(at, ordered[i + 1]?.at), glyphs, width }));
}

function openFont({ Blob, Face, Font }: HarfBuzz, file: FontFile) {
  const known = fonts.get(file);
  if (known !== undefined) return known;
  const face = new Face(new Blob(fontBytes(file)));
  const opened = { font: new Font(face), unitsPerEm: face.upem };
  fonts.set(file, opened);
  return opened;
}
