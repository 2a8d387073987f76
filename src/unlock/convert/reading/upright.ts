import type { Box } from '../../../pdf/pdfium/place-on-page.ts';

export interface Size {
  width: number;
  height: number;
}

/** Returns the position of a box after the page is turned clockwise by quarter turns. */
export function turnBox(box: Box, turns: number, page: Size): Box {
  const { x, y, width, height } = box;
  switch (turns % 4) {
    case 1:
      return { x: page.height - y - height, y: x, width: height, height: width };
    case 2:
      return { x: page.width - x - width, y: page.height - y - height, width, height };
    case 3:
      return { x: y, y: page.width - x - width, width: height, height: width };
    default:
      return { x, y, width, height };
  }
}

export function turnSize({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}
