import type { Box } from '../../world/pdf/pdfium/place-on-page.ts';
import type { Block } from '../blocks.ts';

/** A block and all that is in it, elsewhere on the page. An empty cell is nowhere, and stays there. */
export function mapBoxes(block: Block, move: <T extends Box>(box: T) => T): Block {
  switch (block.type) {
    case 'list':
      return { ...move(block), items: block.items.map(move) };
    case 'table':
      return {
        ...move(block),
        rows: block.rows.map((row) => row.map((cell) => (cell.width === 0 && cell.height === 0 ? cell : move(cell)))),
      };
    default:
      return move(block);
  }
}
