import type { Box } from '../../../pdf/pdfium/place-on-page.ts';
import type { Block } from '../../blocks.ts';

/** Moves a block and all boxes in it. Empty cells have no position and are not moved. */
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
