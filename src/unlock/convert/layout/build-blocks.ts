import { type Block, type ListItem, listLevelMax, type Style } from '../../blocks.ts';
import { type BodyStyle, headingLevel } from './body-style.ts';
import { joinLines } from './join-text.ts';
import { isHeading, startsBlock } from './line-breaks.ts';
import { type Line, textOfLines } from './lines.ts';
import { enclose, median } from './word.ts';

/** Consecutive lines of one block. */
interface Group {
  lines: Line[];
  kind: 'heading' | 'paragraph' | 'item';
}

/** Builds headings, paragraphs and lists from the lines of one column. */
export function buildBlocks(lines: readonly Line[], body: BodyStyle): Block[] {
  const blocks: Block[] = [];
  for (const group of asLists(groupLines(lines, body))) {
    const last = blocks.at(-1);
    if (group.kind !== 'item') blocks.push(textBlock(group, body));
    else if (last?.type === 'list') {
      last.items.push(itemOf(group, last.items));
      Object.assign(last, enclose(last.items));
    } else {
      const item = itemOf(group, []);
      blocks.push({ type: 'list', ...enclose([item]), items: [item] });
    }
  }
  return blocks;
}

function groupLines(lines: readonly Line[], body: BodyStyle): Group[] {
  const groups: Group[] = [];
  const column = { ...enclose(lines), pitch: usualPitch(lines) };
  for (const line of lines) {
    const current = groups.at(-1);
    const kind = isHeading(line, body) ? 'heading' : line.item === null ? 'paragraph' : 'item';
    if (current === undefined || startsBlock(current, { line, kind }, column)) groups.push({ kind, lines: [line] });
    else current.lines.push(line);
  }
  return groups;
}

/** Returns the usual distance between consecutive lines. */
function usualPitch(lines: readonly Line[]): number {
  const pitches = lines.slice(1).flatMap((line, index) => {
    const drop = line.baseline - (lines[index] as Line).baseline;
    return drop > 0 && drop < 2.2 * line.size ? [drop / Math.max(line.size, 1)] : [];
  });
  return median(pitches) || 1.2;
}

/** Recognises lists. A single `A.` is more likely an initial than a list. */
function asLists(groups: readonly Group[]): Group[] {
  return groups.map((group, index) => {
    if (group.kind !== 'item' || !group.lines[0]?.item?.says.isInitial) return group;
    const hasNeighbour = groups[index - 1]?.kind === 'item' || groups[index + 1]?.kind === 'item';
    return hasNeighbour ? group : { ...group, kind: 'paragraph' };
  });
}

function textBlock({ kind, lines }: Group, body: BodyStyle): Block {
  const block = { ...enclose(lines), text: joinLines(lines.map(({ text }) => text)), ...styleOf(lines) };
  if (kind !== 'heading') return { type: 'paragraph', ...block };
  return { type: 'heading', level: headingLevel(body, lines[0] as Line) ?? 1, ...block };
}

function itemOf({ lines }: Group, before: readonly ListItem[]): ListItem {
  const [first] = lines as [Line];
  const { marker, says } = first.item as NonNullable<Line['item']>;
  const block = { ...enclose(lines), text: textOfLines(lines), ...styleOf(lines) };
  return { marker, ordered: says.ordered, level: levelOf(first, before), ...block };
}

/** Returns the level of an item, from its indentation compared with the items before it. */
function levelOf({ x, size }: Line, before: readonly ListItem[]): number {
  const near = size * 0.5;
  for (const item of before.toReversed()) {
    if (Math.abs(item.x - x) <= near) return item.level;
    if (item.x < x) return Math.min(item.level + 1, listLevelMax);
  }
  return 0;
}

function styleOf(lines: readonly Line[]): Style & { rtl: boolean } {
  const [{ size, rtl }] = lines as [Line];
  return { size, bold: lines.every(({ bold }) => bold), italic: lines.every(({ italic }) => italic), rtl };
}
