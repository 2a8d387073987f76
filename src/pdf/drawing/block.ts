import { type Line, wrapText } from '../text/wrap-text.ts';
import type { Canvas } from './canvas.ts';
import type { ContentRole, GroupRole, Part } from './structure.ts';
import { type Colour, colours, type Style, styles } from './theme.ts';

/** Content with a known height that is never split across pages. In points; x and y are its top left corner. */
export interface Block {
  height: number;
  draw(canvas: Canvas, x: number, y: number): void;
}

export function text(content: string, style: Style, colour: Colour, width: number): Block {
  return linesBlock(wrapText(content, style, width), style, colour);
}

/** `part`: to which the lines belong. By default, they are one of their own. */
export function linesBlock(lines: readonly Line[], style: Style, colour: Colour, part?: Part): Block {
  return {
    height: lines.length * style.leading,
    draw(canvas, x, y) {
      const own = part ?? canvas.structure.part(style.role ?? 'P');
      for (const [i, line] of lines.entries()) {
        const baseline = y + i * style.leading + style.leading / 2 + style.size * 0.35;
        const at = { x, y: baseline, size: style.size, colour, tracking: style.tracking ?? 0 };
        // Each line by itself, because the space between two lines is not drawn.
        canvas.mark(own, () => canvas.text(line, at));
      }
    },
  };
}

/** Makes the texts of a block one part, such as a name and its value. */
export function asPart(role: ContentRole, { height, draw }: Block): Block {
  return { height, draw: (canvas, x, y) => canvas.structure.open(role, () => draw(canvas, x, y)) };
}

/** Makes a block a picture, for which `alt` is read. */
export function asFigure({ height, draw }: Block, alt: string): Block {
  return {
    height,
    draw: (canvas, x, y) => canvas.mark(canvas.structure.part('Figure', alt), () => draw(canvas, x, y)),
  };
}

/** Makes the parts that a block draws one group. */
export function asGroup(role: GroupRole, { height, draw }: Block): Block {
  return { height, draw: (canvas, x, y) => canvas.structure.group(role, () => draw(canvas, x, y)) };
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
