import { deflateSync } from 'node:zlib';
import { type PDF, PDFImage, PdfArray, PdfName, PdfNumber, PdfStream, PdfString } from '@libpdf/core';
import { type Ink, signatureInk } from '../png/signature-ink.ts';
import { fitText } from '../text/fit-text.ts';
import { hasAll } from '../text/shape-text.ts';
import { hasShapedScript } from '../text/shaped-scripts.ts';
import { type FontStack, fontStacks, typeface } from '../text/typefaces.ts';
import type { Canvas } from './canvas.ts';
import { type Colour, colours } from './theme.ts';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A typed or drawn signature. `png` is base64 of an image accepted by `isPlausiblePng`. */
export type Signature = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

/** Draws a signature at the bottom left of an area. */
export type SignatureMark = (canvas: Canvas, area: Area) => void;

const sizes = [32, 29, 26, 23, 20, 17, 15, 13, 11, 9, 7.5];
/** Line height, and depth below the baseline, as multiples of the font size. */
const handwritten = { leading: 1.12, depth: 0.26 };
/** The same for scripts with stacked letters, which are taller. */
const stacked = { leading: 1.45, depth: 0.4 };
/** Maximum size of a pixel in points. A tiny drawing stays small instead of becoming blocky. */
const pointsPerPixelMax = 0.6;

export function createSignatureMark(pdf: PDF, signature: Signature): SignatureMark {
  if (signature.kind === 'typed') return (canvas, area) => writeSignature(canvas, area, signature.text);
  const ink = signatureInk(Buffer.from(signature.png, 'base64'));
  if (ink === null) return () => {};
  const image = embedInk(pdf, ink, colours.signature);
  return (canvas, area) => {
    const scale = Math.min(area.width / ink.width, area.height / ink.height, pointsPerPixelMax);
    const size = { width: ink.width * scale, height: ink.height * scale };
    canvas.image(image, { x: area.x, y: area.y + area.height - size.height, ...size });
  };
}

/** Draws a typed signature in the largest handwriting that fits. Long names take several lines. */
function writeSignature(canvas: Canvas, area: Area, text: string): void {
  const { leading, depth } = hasShapedScript(text) ? stacked : handwritten;
  const { lines, size } = fitText(text, handwritingFor(text), area, { sizes, leading, severalLinesMax: 15 });
  const lineHeight = size * leading;
  const top = area.y + area.height - lines.length * lineHeight;
  for (const [i, line] of lines.entries()) {
    const baseline = top + (i + 1) * lineHeight - size * depth;
    canvas.text(line, { x: area.x, y: baseline, size, colour: colours.signature });
  }
}

/** Chooses one handwriting font for the whole name, because letters of different fonts look pasted in. */
function handwritingFor(text: string): FontStack {
  const letters = text.normalize('NFC').replace(/\s/g, '');
  if (hasAll(typeface('handwriting'), letters)) return fontStacks.handwriting;
  if (hasAll(typeface('handwritingCyrillic'), letters)) return fontStacks.handwritingCyrillic;
  return fontStacks.serifItalic;
}

/** Embeds the strokes as an image of one colour, with the strokes as its transparency. */
function embedInk(pdf: PDF, ink: Ink, colour: Colour): PDFImage {
  const rgb = Buffer.from(colour.map((channel) => Math.round(channel * 255)));
  const oneColour = [PdfName.of('Indexed'), PdfName.of('DeviceRGB'), PdfNumber.of(0), PdfString.fromBytes(rgb)];
  const mask = imageStream(ink, PdfName.of('DeviceGray'), ink.coverage);
  const image = imageStream(ink, new PdfArray(oneColour), new Uint8Array(ink.coverage.length));
  image.set('SMask', pdf.register(mask));
  return new PDFImage(pdf.register(image), ink.width, ink.height);
}

function imageStream({ width, height }: Ink, colourSpace: PdfName | PdfArray, pixels: Uint8Array): PdfStream {
  const entries = {
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Image'),
    Width: PdfNumber.of(width),
    Height: PdfNumber.of(height),
    ColorSpace: colourSpace,
    BitsPerComponent: PdfNumber.of(8),
    Filter: PdfName.of('FlateDecode'),
  };
  return PdfStream.fromDict(entries, deflateSync(pixels));
}
