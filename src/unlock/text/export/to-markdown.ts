import type { Block, FormField, ListItem, Table, UnlockedPage } from '../../blocks.ts';
import { shownMarker } from '../shown-marker.ts';
import { type Nested, nestItems } from './nest-items.ts';

/** Returns a page as CommonMark with tables. The page number is a comment, so that it does not interrupt the text. */
export function markdownPage({ page, blocks }: UnlockedPage): string {
  return [`<!-- page ${page} -->`, ...blocks.map(blockMarkdown)].map((part) => `${part}\n\n`).join('');
}

function blockMarkdown(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(Math.min(block.level, 6))} ${escapeText(block.text)}`;
    case 'paragraph':
      return escapeStart(escapeText(block.text));
    case 'list':
      return listMarkdown(nestItems(block.items)).join('\n');
    case 'table':
      return tableMarkdown(block);
    case 'field':
      return fieldMarkdown(block);
  }
}

/** Returns the lines of a list. Inner items stand at least four spaces in, and as far as the text of their outer item. */
function listMarkdown(items: readonly Nested[]): string[] {
  return items.flatMap(({ item, inner }) => {
    const marker = markerOf(item);
    const indent = ' '.repeat(Math.max(4, marker.length + 1));
    return [`${marker} ${itemText(item)}`, ...listMarkdown(inner).map((line) => indent + line)];
  });
}

function markerOf({ marker }: ListItem): string {
  return /^\d{1,3}[.)]$/.test(marker) ? marker : '-';
}

/** Other markers than numbers and bullets are text, because Markdown has no `(a)` and no `□`. */
function itemText(item: ListItem): string {
  const shown = shownMarker(item);
  const isText = markerOf(item) === '-' && shown !== '•';
  return escapeStart(escapeText(isText ? `${shown} ${item.text}` : item.text));
}

function tableMarkdown({ rows }: Table): string {
  const [head = [], ...body] = rows.map((row) => row.map(({ text }) => escapeText(text)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function fieldMarkdown({ name, label, value, checked }: FormField): string {
  const shown = escapeText(label ?? name);
  if (checked !== null) return `- [${checked ? 'x' : ' '}] ${shown}`;
  return `${escapeStart(shown)}: ${value === null ? '\\_\\_\\_\\_' : escapeText(value)}`;
}

/** Escapes characters that would be markup, links or HTML anywhere in a line. */
function escapeText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/[\\`*_[\]<>|~$]/g, '\\$&')
    .replace(/(https?|ftp|www)(?=[:.])/gi, '$1&#8203;');
}

/** Escapes what would be a heading, list, rule or quotation at the start of a line. */
function escapeStart(text: string): string {
  return text
    .replace(/^([#+=:-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2');
}
