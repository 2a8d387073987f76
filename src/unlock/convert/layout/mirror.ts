import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Block } from '../../blocks.ts';
import { mapBoxes } from './map-boxes.ts';
import type { PageWords } from './word.ts';

/** Exchanges left and right on a page, so that text from right to left can be processed from left to right. */
export function mirror(page: PageWords): PageWords {
  return {
    ...page,
    words: page.words.map((word) => mirrorBox(word, page.width)),
    fields: page.fields.map((field) => mirrorBox(field, page.width)),
  };
}

export function mirrorBlock(block: Block, pageWidth: number): Block {
  return mapBoxes(block, (box) => mirrorBox(box, pageWidth));
}

function mirrorBox<T extends Box>(box: T, pageWidth: number): T {
  return { ...box, x: pageWidth - box.x - box.width };
}
