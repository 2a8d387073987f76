import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { fieldSlot, nameFields } from './field-controls.ts';
import { icon } from './icons.ts';
import { langOf } from './language-menu.ts';
import { shownMarks } from './shown-marks.ts';
import type { AttachedFile, SigningPageView } from './signing-page-view.ts';

/** The image widths in pixels. The browser chooses one for its screen and zoom. */
const imageWidths = [600, 900, 1200, 1800] as const;
/** The widths in `file.css`: all of a phone's screen, or a column next to the panel. */
const imageSizes = '(min-width: 64rem) 46rem, 100vw';

/**
 * Renders the file's pages. Each is an image in a box of its proportions, loaded when it comes near the screen. While the
 * recipient may sign, the fields lie on the pages. `hasScript`: the script brings the text of each page and the controls
 * for the fields. Without it, a link leads to the text, and a form has the controls.
 */
export function filePages(view: SigningPageView, file: AttachedFile, { hasScript }: { hasScript: boolean }): Html {
  const text = texts[view.language].file;
  const total = file.pages.length;
  return html`<section class="file" id="file" aria-labelledby="file-heading">
<div class="file-tools" id="file-tools">
<h2 class="file-name" id="file-heading" dir="auto"${langOf(view)}>${file.name}</h2>
<p class="page-place" id="page-place">${text.pageOf(1, total)}</p>
<div class="zoom needs-script" role="group" aria-label="${text.zoom}">
<button type="button" id="zoom-out" aria-label="${text.zoomOut}" aria-disabled="true">${icon('minus')}</button>
<output id="zoom-level">100%</output>
<button type="button" id="zoom-in" aria-label="${text.zoomIn}">${icon('plus')}</button>
</div>
</div>
${partList(view, file)}<div class="sheets" id="sheets" data-pages="${view.address}/${file.part}">
${file.pages.map((_page, index) => (hasScript ? sheet(view, file, index + 1) : plainSheet(view, file, index + 1)))}</div>
</section>`;
}

/** Renders links to the first page of each file, if there are several. */
function partList(view: SigningPageView, { parts = [] }: AttachedFile): Html | string {
  if (parts.length === 0) return '';
  const links = parts.map(({ title }, index) => html`<li><a href="#part-${index + 1}" dir="auto">${title}</a></li>`);
  return html`<nav class="file-parts" aria-label="${texts[view.language].file.files}"><ol${langOf(view)}>${links}</ol></nav>
`;
}

/** Renders the heading of the file that begins on a page, if there are several. */
function partHeading(view: SigningPageView, { parts = [] }: AttachedFile, number: number): Html | string {
  const index = parts.findIndex(({ firstPage }) => firstPage === number);
  const part = parts[index];
  if (part === undefined) return '';
  return html`<h3 class="part-heading" id="part-${index + 1}" dir="auto"${langOf(view)}>${part.title}</h3>
`;
}

function plainSheet(view: SigningPageView, file: AttachedFile, number: number): Html {
  const { form } = texts[view.language];
  return html`${sheet(view, { ...file, fields: [] }, number)}<p class="sheet-as-text"><a href="${view.address}/${file.part}/${number}/text.txt">${form.pageAsText(number)}</a></p>
`;
}

/** Renders one page. The image has no alternative text, because the heading and the page's text follow. */
function sheet(view: SigningPageView, file: AttachedFile, number: number): Html {
  const text = texts[view.language].file;
  const { width, height } = file.pages[number - 1] ?? { width: 1, height: 1 };
  const address = `${view.address}/${file.part}/${number}`;
  const isOpen = view.state.kind === 'open';
  const fields = isOpen ? nameFields(view.language, file.fields).filter(({ field }) => field.page === number) : [];
  return html`${partHeading(view, file, number)}<div class="sheet" id="page-${number}" data-page="${number}">
<h3 class="visually-hidden">${text.pageOf(number, file.pages.length)}</h3>
<img src="${address}?width=900" srcset="${imageWidths.map((pixels) => `${address}?width=${pixels} ${pixels}w`).join(', ')}" sizes="${imageSizes}" width="${Math.round(width)}" height="${Math.round(height)}" alt="" loading="lazy" decoding="async">
<div class="sheet-text" dir="auto"${langOf(view)}></div>
<div class="sheet-problem" hidden></div>
${fields.map((named) => fieldSlot(view.language, named, { width, height }))}</div>
${file.part === 'pages' && shownMarks(view, number, { width, height })}`;
}
