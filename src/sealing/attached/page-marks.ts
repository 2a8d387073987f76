import type { Canvas } from '../../pdf/drawing/canvas.ts';
import { type Colour, colours } from '../../pdf/drawing/theme.ts';
import { fontStacks } from '../../pdf/text/typefaces.ts';
import { type Line, oneLine } from '../../pdf/text/wrap-text.ts';
import { wordsOf } from '../completion/words.ts';
import type { SealInput } from '../seal-input.ts';
import type { Area } from './draw-value.ts';

/** A line at the edge of every page of an attached file. */
export interface PageMark {
  text: string;
  place: 'top' | 'bottom';
}

/** In points. */
const sizes = { top: 8, bottom: 6 } as const;
const fromEdge = 6;
const leading = 1.4;

/** Returns the lines for every page: that it is a test, and the document's id if the company wants it. */
export function pageMarks({ document, language }: SealInput): PageMark[] {
  const words = wordsOf[language];
  return [
    ...(document.isTest ? [{ text: words.testMode, place: 'top' as const }] : []),
    ...(document.printsId ? [{ text: `${words.documentId} ${document.id}`, place: 'bottom' as const }] : []),
  ];
}

/** A line with its place on a page of a given size. Positions are points from the top left corner of the page as shown. */
export interface PlacedMark {
  text: string;
  area: Area;
  /** Draws the line into an area of this size, at another place. */
  draw(canvas: Canvas, area: Area): void;
}

/** Places a line in the middle of the top, or at the left of the bottom. It is smaller on a page that is too narrow for it. */
export function placeMark({ text, place }: PageMark, page: { width: number; height: number }): PlacedMark {
  const stack = place === 'top' ? fontStacks.sansSemiBold : fontStacks.sans;
  const colour: Colour = place === 'top' ? colours.warning : colours.soft;
  const widest = lineOf(text, stack, sizes[place]).width;
  const room = Math.max(1, page.width - 4 * fromEdge);
  const size = sizes[place] * Math.min(1, room / widest);
  const line = lineOf(text, stack, size);
  const height = size * leading;
  const area = {
    x: place === 'top' ? (page.width - line.width) / 2 : 2 * fromEdge,
    y: place === 'top' ? fromEdge : page.height - fromEdge - height,
    width: line.width,
    height,
  };
  const draw = (canvas: Canvas, { x, y }: Area) =>
    canvas.text(line, { x, y: y + height / 2 + size * 0.35, size, colour });
  return { text, area, draw };
}

function lineOf(text: string, stack: Parameters<typeof oneLine>[1]['stack'], size: number): Line {
  return oneLine(text, { stack, size }, Number.POSITIVE_INFINITY);
}
