import type { PDFPage } from '@libpdf/core';
import { wrapText } from '../text/wrap-text.ts';
import { type Block, linesBlock } from './block.ts';
import { type Canvas, createCanvas, type EmbedFont } from './canvas.ts';
import { noStructure, type Structure } from './structure.ts';
import { type Colour, type Margins, margins as ordinary, type Style } from './theme.ts';

/** Fills pages from top to bottom. `y` is the position of the next block, in points from the top of the current page. */
export interface Flow {
  canvas: Canvas;
  y: number;
  readonly left: number;
  readonly width: number;
  /** The height of an empty page. A higher block does not fit anywhere. */
  readonly room: number;
  /** All pages so far, in order. */
  readonly pages: Canvas[];
  readonly structure: Structure;
  newPage(): void;
  /** Starts a new page unless the current one has room for `height`. */
  ensure(height: number): void;
  /** Draws a block, on a new page if needed. */
  place(block: Block): void;
  /** Adds vertical space. It does not continue on the next page. */
  gap(height: number): void;
}

export function createFlow(
  newPage: () => PDFPage,
  embed: EmbedFont,
  margins: Margins = ordinary,
  structure = noStructure,
): Flow {
  const addPage = () => createCanvas(newPage(), embed, null, 0, structure);
  const first = addPage();
  const flow: Flow = {
    canvas: first,
    y: margins.top,
    left: margins.side,
    width: first.width - 2 * margins.side,
    room: first.height - margins.top - margins.bottom,
    pages: [first],
    structure,
    newPage() {
      flow.canvas = addPage();
      flow.pages.push(flow.canvas);
      flow.y = margins.top;
    },
    ensure(height) {
      if (flow.y + height > flow.canvas.height - margins.bottom && flow.y > margins.top) flow.newPage();
    },
    place(block) {
      flow.ensure(block.height);
      block.draw(flow.canvas, flow.left, flow.y);
      flow.y += block.height;
    },
    gap(height) {
      flow.y += height;
    },
  };
  return flow;
}

/** Draws text over the full width, across pages if needed. Right-to-left paragraphs are aligned right. */
export function flowText(flow: Flow, text: string, style: Style, colour: Colour): void {
  const part = flow.structure.part(style.role ?? 'P');
  for (const line of wrapText(text, style, flow.width)) {
    const block = linesBlock([line], style, colour, part);
    const indent = line.rightToLeft ? flow.width - line.width : 0;
    flow.place({ height: block.height, draw: (canvas, x, y) => block.draw(canvas, x + indent, y) });
  }
}
