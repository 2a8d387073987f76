import { type Line, wrapText } from '../text/wrap-text.ts';
import type { Canvas } from './canvas.ts';
import { type Colour, colours, type Style, styles } from './theme.ts';

/** Content with a known height that is never split across pages. In points; x and y are its top left corner. */
export interface Block {
  height: number;
  draw(canvas: Canvas, x: number, y: number): void;
}

export function text(content: string, style: Style, colour: Colour, width: number): Block {
  return linesBlock(wrapText(content, style, width), style, colour);
}

export function linesBlock(lines: readonly Line[], style: Style, colour: Colour): Block {
  return {
    height: lines.length * style.leading,
    draw(canvas, x, y) {
      for (const [i, line] of lines.entries()) {
        const baseline = y + i * style.leading + style.leading / 2 + style.size * 0.35;
        canvas.text(line, { x, y: baseline, size: style.size, colour, tracking: style.tracking ?? 0 });
      }
    },
  };
}

/** Makes the label in small capitals above a value. */
export function label(content: string, colour: Colour = colours.soft): Block {
  return linesBlock(wrapText(content.toUpperCase(), styles.label, 1000), styles.label, colour);
}

export function gap(height: number): Block {
  return { height, draw() {} };
}

export function rule(width: number, colour: Colour, thickness?: number): Block {
  return { height: 0, draw: (canvas, x, y) => canvas.rule({ x, y }, { x: x + width, y }, colour, thickness) };
}

export function stack(...blocks: Block[]): Block {
  return {
    height: blocks.reduce((sum, block) => sum + block.height, 0),
    draw(canvas, x, y) {
      let top = y;
      for (const block of blocks) {
        block.draw(canvas, x, top);
        top += block.height;
      }
    },
  };
}

/** Places blocks side by side, each at a distance from the left. */
export function columns(...blocks: Array<[left: number, block: Block]>): Block {
  return {
    height: Math.max(0, ...blocks.map(([, block]) => block.height)),
    draw(canvas, x, y) {
      for (const [left, block] of blocks) block.draw(canvas, x + left, y);
    },
  };
}
