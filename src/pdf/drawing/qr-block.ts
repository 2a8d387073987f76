import { encode } from 'uqr';
import type { Block } from './block.ts';
import { colours } from './theme.ts';

/** Light modules around the code, which readers need (ISO/IEC 18004). The white of the page serves as the rest. */
const quietZone = 1;

/** Draws a QR code of a text, `width` points wide. */
export function qrBlock(content: string, width: number): Block {
  const { size, data } = encode(content, { ecc: 'M', border: quietZone });
  const module = width / size;
  return {
    height: width,
    draw(canvas, x, y) {
      for (const [row, modules] of data.entries()) {
        const middle = y + (row + 0.5) * module;
        for (const [from, to] of darkRuns(modules)) {
          // A little thicker than a module, so that no white lines show between rows.
          canvas.rule(
            { x: x + from * module, y: middle },
            { x: x + to * module, y: middle },
            colours.ink,
            module * 1.02,
          );
        }
      }
    },
  };
}

/** Returns the runs of dark modules of a row, each from the first to after the last. */
function darkRuns(modules: readonly boolean[]): Array<[from: number, to: number]> {
  const runs: Array<[number, number]> = [];
  for (const [i, isDark] of modules.entries()) {
    const last = runs.at(-1);
    if (isDark && last?.[1] === i) last[1] = i + 1;
    else if (isDark) runs.push([i, i + 1]);
  }
  return runs;
}
