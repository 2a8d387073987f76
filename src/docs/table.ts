import { type Html, html } from '../http/html.ts';

/** Renders a table that scrolls if it is wider than the page. Screen readers announce `caption`. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, index) => tableCell(cell, index))}</tr>\n`)}</tbody>
</table></div>
`;
}

function tableCell(cell: Html | string, index: number): Html {
  return index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`;
}
