import type { PDF } from '@libpdf/core';
import type { MarkKind } from '../../mark-kinds.ts';
import type { Canvas } from '../../pdf/drawing/canvas.ts';
import { createSignatureMark, type SignatureMark } from '../../pdf/drawing/signature-mark.ts';
import { createStampMark } from '../../pdf/drawing/stamp-mark.ts';
import { colours, styles } from '../../pdf/drawing/theme.ts';
import { fitText } from '../../pdf/text/fit-text.ts';
import type { SealField, SealInput } from '../seal-input.ts';

/** Text sizes in points. The largest one that fits is used. */
const textSizes = [11, 10, 9, 8, 7, 6, 5];
const leading = 1.25;
/** Maximum inset in points from the edges of a field, which often has a frame. It is at most a tenth of the field. */
const insetMax = 2.5;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type DrawValue = (field: SealField, canvas: Canvas, area: Area) => void;

/** Makes a function that draws the value of a field into an area. Each mark is embedded in the file only once. */
export function valueDrawer(pdf: PDF, { recipients }: Pick<SealInput, 'recipients'>): DrawValue {
  const marks = new Map<string, SignatureMark | null>();
  const make = (recipientId: string, type: MarkKind) => {
    const recipient = recipients.find(({ id }) => id === recipientId);
    if (type === 'stamp') return recipient?.stamp ? createStampMark(pdf, recipient.stamp) : null;
    const drawn = recipient?.[type] ?? null;
    return drawn === null ? null : createSignatureMark(pdf, drawn);
  };
  const markOf = (recipientId: string, type: MarkKind) => {
    const key = `${type} ${recipientId}`;
    const mark = marks.get(key) ?? make(recipientId, type);
    marks.set(key, mark);
    return mark;
  };
  return (field, canvas, area) => {
    switch (field.type) {
      case 'signature':
      case 'initials':
      case 'stamp':
        markOf(field.recipientId, field.type)?.(canvas, within(area));
        return;
      case 'checkbox':
        drawCheck(canvas, area);
        return;
      case 'date':
      case 'text':
        drawText(canvas, within(area), field.value);
    }
  };
}

function within({ x, y, width, height }: Area): Area {
  const [across, down] = [Math.min(insetMax, width / 10), Math.min(insetMax / 2, height / 10)];
  return { x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down };
}

function drawCheck(canvas: Canvas, { x, y, width, height }: Area): void {
  const side = Math.min(width, height);
  const at = (across: number, down: number) => ({
    x: x + (width - side) / 2 + side * across,
    y: y + (height - side) / 2 + side * down,
  });
  const thickness = Math.max(0.8, side * 0.1);
  canvas.rule(at(0.2, 0.55), at(0.42, 0.76), colours.signature, thickness);
  canvas.rule(at(0.39, 0.76), at(0.8, 0.26), colours.signature, thickness);
}

/** Draws text. A single line is centred vertically; several lines start at the top of the area. */
function drawText(canvas: Canvas, { x, y, width, height }: Area, text: string): void {
  const { lines, size } = fitText(text, styles.value.stack, { width, height }, { sizes: textSizes, leading });
  const lineHeight = size * leading;
  const top = lines.length === 1 ? y + (height - lineHeight) / 2 : y;
  for (const [i, line] of lines.entries()) {
    const baseline = top + i * lineHeight + lineHeight / 2 + size * 0.35;
    const indent = line.rightToLeft ? width - line.width : 0;
    canvas.text(line, { x: x + indent, y: baseline, size, colour: colours.ink });
  }
}
