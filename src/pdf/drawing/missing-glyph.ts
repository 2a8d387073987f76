import { ops, type PDFPage } from '@libpdf/core';

type Operator = Parameters<PDFPage['drawOperators']>[0][number];

/** Draws a box with the code of a character that no font has, so that the character stays identifiable. */
export function drawBox(codePoint: number, x: number, baseline: number, size: number): Operator[] {
  const frame = { left: x + size * 0.06, bottom: baseline - size * 0.12, width: size * 0.62, height: size * 0.88 };
  const code = codePoint.toString(16).toUpperCase().padStart(4, '0');
  const half = Math.ceil(code.length / 2);
  const drawn = [
    ops.setLineWidth(size * 0.022),
    ops.rectangle(frame.left, frame.bottom, frame.width, frame.height),
    ops.stroke(),
  ];
  for (const [row, digits] of [code.slice(0, half), code.slice(half)].entries()) {
    const cell = frame.width / half;
    for (const [column, digit] of [...digits].entries()) {
      const left = frame.left + cell * column + cell * 0.2;
      const bottom = frame.bottom + frame.height * (row === 0 ? 0.55 : 0.1);
      drawn.push(...drawDigit(digit, left, bottom, cell * 0.6, frame.height * 0.35));
    }
  }
  return drawn;
}

/** Draws a digit as lines. As text, the code would be copied and found by searches. */
function drawDigit(digit: string, left: number, bottom: number, width: number, height: number): Operator[] {
  const drawn: Operator[] = [];
  for (const segment of lit[digit] ?? '') {
    const [x1, y1, x2, y2] = segments[segment] ?? [0, 0, 0, 0];
    drawn.push(
      ops.moveTo(left + x1 * width, bottom + y1 * height),
      ops.lineTo(left + x2 * width, bottom + y2 * height),
    );
  }
  return [...drawn, ops.stroke()];
}

/** The segments of a seven-segment display, as lines in the unit square. */
const segments: Record<string, [number, number, number, number]> = {
  a: [0, 1, 1, 1],
  b: [1, 1, 1, 0.5],
  c: [1, 0.5, 1, 0],
  d: [0, 0, 1, 0],
  e: [0, 0, 0, 0.5],
  f: [0, 0.5, 0, 1],
  g: [0, 0.5, 1, 0.5],
};

const lit: Record<string, string> = {
  '0': 'abcdef',
  '1': 'bc',
  '2': 'abged',
  '3': 'abgcd',
  '4': 'fgbc',
  '5': 'afgcd',
  '6': 'afgedc',
  '7': 'abc',
  '8': 'abcdefg',
  '9': 'abcdfg',
  A: 'efabcg',
  B: 'fedcg',
  C: 'afed',
  D: 'bcdeg',
  E: 'afged',
  F: 'afge',
};
