import { type Html, html } from '../../../http/html.ts';
import type { Block, FormField, Heading, Table, UnlockedPage } from '../../blocks.ts';
import { shownMarker } from '../shown-marker.ts';
import { type Nested, nestItems } from './nest-items.ts';

/** Returns the start of a complete HTML document. All text comes from strangers, so all of it is escaped. */
export function htmlStart(title: string): string {
  const head = html`<head><meta charset="utf-8"><title>${title}</title></head>`;
  return `<!doctype html>\n<html>${head}\n<body>\n`;
}

export function htmlPage({ page, blocks }: UnlockedPage): string {
  return `${html`<section data-page="${page}">
${blocks.map(
  (block) => html`${blockHtml(block)}
`,
)}</section>`}\n`;
}

export const htmlEnd = '</body>\n</html>\n';

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'heading':
      return headingHtml(block);
    case 'paragraph':
      return html`<p dir="${direction(block)}">${block.text}</p>`;
    case 'list':
      return listHtml(nestItems(block.items));
    case 'table':
      return tableHtml(block);
    case 'field':
      return fieldHtml(block);
  }
}

function headingHtml(block: Heading): Html {
  const [dir, text] = [direction(block), block.text];
  switch (block.level) {
    case 1:
      return html`<h1 dir="${dir}">${text}</h1>`;
    case 2:
      return html`<h2 dir="${dir}">${text}</h2>`;
    case 3:
      return html`<h3 dir="${dir}">${text}</h3>`;
    case 4:
      return html`<h4 dir="${dir}">${text}</h4>`;
    default:
      return html`<h5 dir="${dir}">${text}</h5>`;
  }
}

/** Keeps the markers as text, as they were written, because clauses must keep their numbers. */
function listHtml(items: readonly Nested[]): Html {
  return html`<ul style="list-style: none">${items.map(itemHtml)}</ul>`;
}

function itemHtml({ item, inner }: Nested): Html {
  return html`<li dir="${direction(item)}">${shownMarker(item)} ${item.text}${inner.length > 0 && listHtml(inner)}</li>`;
}

function tableHtml({ rows }: Table): Html {
  const cell = ({ text, bold, rtl }: Table['rows'][number][number]) =>
    html`<td dir="${direction({ rtl })}">${bold ? html`<b>${text}</b>` : text}</td>`;
  return html`<table>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</table>`;
}

function fieldHtml({ kind, name, label, value, checked }: FormField): Html {
  const shown = label ?? name;
  if (checked === null)
    return html`<p><label>${shown} <input name="${name}" value="${value ?? ''}" disabled></label></p>`;
  const type = kind === 'radio' ? 'radio' : 'checkbox';
  const state = checked && html` checked`;
  return html`<p><label><input type="${type}" name="${name}"${state} disabled> ${shown}</label></p>`;
}

function direction({ rtl }: { rtl: boolean }): string {
  return rtl ? 'rtl' : 'ltr';
}
