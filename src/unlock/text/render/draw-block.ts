import { type Block as Drawn, gap, linesBlock, rule } from '../../../pdf/drawing/block.ts';
import { type Flow, flowText } from '../../../pdf/drawing/flow.ts';
import { colours, type Style } from '../../../pdf/drawing/theme.ts';
import { fontStacks } from '../../../pdf/text/typefaces.ts';
import { wrapText } from '../../../pdf/text/wrap-text.ts';
import type { Block, FormField, Heading, List, ListItem, Paragraph } from '../../blocks.ts';
import { shownMarker } from '../shown-marker.ts';
import { drawTable } from './draw-table.ts';

/* biome-ignore format: a table reads as a table */
const headings: readonly Style[] = [
  { stack: fontStacks.serifSemiBold, size: 20,   leading: 26 },
  { stack: fontStacks.serifSemiBold, size: 16,   leading: 21 },
  { stack: fontStacks.serifSemiBold, size: 13.5, leading: 18 },
  { stack: fontStacks.serifSemiBold, size: 12,   leading: 16.5 },
  { stack: fontStacks.serifSemiBold, size: 11,   leading: 16 },
];
const [size, leading] = [11, 16];
const body: Style = { stack: fontStacks.serif, size, leading };
/** Space below a block, in points. */
const between = 8;
/** Space required below a heading, so that it does not stand alone at the end of a page. */
const keptWith = 3 * leading;
const indent = 18;
const boxSide = 9;
const lineLength = 180;

export function drawBlock(flow: Flow, block: Block): void {
  switch (block.type) {
    case 'heading':
      drawHeading(flow, block);
      break;
    case 'paragraph':
      flowText(flow, block.text, styleOf(block), colours.ink);
      flow.gap(between);
      break;
    case 'list':
      drawList(flow, block);
      break;
    case 'table':
      drawTable(flow, block);
      flow.gap(between + 4);
      break;
    case 'field':
      drawField(flow, block);
      break;
  }
}

function drawHeading(flow: Flow, { level, text }: Heading): void {
  const style = headings[Math.min(level, headings.length) - 1] as Style;
  const height = wrapText(text, style, flow.width).length * style.leading;
  flow.ensure(height + keptWith);
  flow.gap(level === 1 ? 6 : 4);
  flowText(flow, text, style, colours.ink);
  flow.gap(level === 1 ? 8 : 5);
}

function styleOf({ bold, italic }: Pick<Paragraph, 'bold' | 'italic'>): Style {
  if (bold) return { ...body, stack: fontStacks.serifSemiBold };
  return italic ? { ...body, stack: fontStacks.serifItalic } : body;
}

function drawList(flow: Flow, { items }: List): void {
  for (const item of items) drawItem(flow, item);
  flow.gap(between - 3);
}

/** Draws a list item, with its marker at the side where the text begins. */
function drawItem(flow: Flow, item: ListItem): void {
  const style = styleOf(item);
  // The fonts have no crossed box.
  const [marker] = wrapText(shownMarker(item).replace('☒', '[x]'), body, flow.width / 3);
  const before = Math.min(item.level * indent, flow.width / 3) + Math.max(indent, (marker?.width ?? 0) + 6);
  const width = flow.width - before;
  for (const [index, line] of wrapText(item.text, style, width).entries()) {
    const text = linesBlock([line], style, colours.ink);
    const x = item.rtl ? width - line.width : before;
    const markerX = item.rtl ? flow.width - before + 6 : before - 6 - (marker?.width ?? 0);
    const markerBlock = index === 0 && marker !== undefined ? linesBlock([marker], body, colours.soft) : gap(0);
    flow.place({
      height: style.leading,
      draw(canvas, left, top) {
        text.draw(canvas, left + x, top);
        markerBlock.draw(canvas, left + markerX, top);
      },
    });
  }
  flow.gap(3);
}

/** Draws a field as on a printed form: a ticked or empty box, or a line with the value. */
function drawField(flow: Flow, { label, name, value, checked }: FormField): void {
  const shown = label ?? name;
  if (checked !== null) {
    const lines = wrapText(shown, body, flow.width - indent);
    for (const [index, line] of lines.entries()) {
      const text = linesBlock([line], body, colours.ink);
      flow.place({
        height: body.leading,
        draw(canvas, x, y) {
          if (index === 0) tickBox(checked).draw(canvas, x, y + (body.leading - boxSide) / 2);
          text.draw(canvas, x + indent, y);
        },
      });
    }
  } else {
    flow.ensure(2 * body.leading);
    if (shown !== '') flowText(flow, shown, { ...body, stack: fontStacks.serifSemiBold }, colours.soft);
    if (value !== null) flowText(flow, value, body, colours.ink);
    else flow.gap(body.leading);
    flow.place(rule(Math.min(lineLength, flow.width), colours.rule));
  }
  flow.gap(between);
}

function tickBox(isTicked: boolean): Drawn {
  return {
    height: boxSide,
    draw(canvas, x, y) {
      const at = (right: number, down: number) => ({ x: x + right * boxSide, y: y + down * boxSide });
      const [topLeft, topRight, bottomRight, bottomLeft] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
      canvas.rule(topLeft, topRight, colours.ink);
      canvas.rule(topRight, bottomRight, colours.ink);
      canvas.rule(bottomRight, bottomLeft, colours.ink);
      canvas.rule(bottomLeft, topLeft, colours.ink);
      if (!isTicked) return;
      canvas.rule(at(0.2, 0.5), at(0.42, 0.75), colours.ink, 1.2);
      canvas.rule(at(0.42, 0.75), at(0.82, 0.22), colours.ink, 1.2);
    },
  };
}
