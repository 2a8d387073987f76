import { type FontFile, fontBytes } from './font-files.ts';
import { hasShapedScript } from './shaped-scripts.ts';

/** A glyph and where it stands, in thousandths of the font size from where its cluster begins, upwards. */
export interface PlacedGlyph {
  /** Its number in the font; 0 is what a font draws for a character that it lacks. */
  id: number;
  x: number;
  y: number;
}

/** Characters that cannot be drawn one by one. */
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

/** Loads the shaping engine if any of this text needs it. Before such text is laid out, which cannot wait for it. */
export async function prepareShaping(text: string): Promise<void> {
  if (harfBuzz === undefined && hasShapedScript(text)) harfBuzz = await import('harfbuzzjs');
}

/** Chooses and places the glyphs of a text in one script and one direction. In reading order. */
export function shapeRun(text: string, file: FontFile, isRightToLeft: boolean): Cluster[] {
  if (harfBuzz === undefined) throw new Error('the shaping engine was not loaded before text that needs it');
  const { Buffer, Direction, shape } = harfBuzz;
  const { font, unitsPerEm } = open(harfBuzz, file);
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

function open({ Blob, Face, Font }: HarfBuzz, file: FontFile) {
  const known = fonts.get(file);
  if (known !== undefined) return known;
  const face = new Face(new Blob(fontBytes(file)));
  const opened = { font: new Font(face), unitsPerEm: face.upem };
  fonts.set(file, opened);
  return opened;
}
