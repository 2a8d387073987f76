import { type Html, html } from '../../http/html.ts';
import type { PageLanguage } from '../../page-texts/texts.ts';
import { texts } from '../../page-texts/texts.ts';
import { fitValue } from './fit-value.ts';
import { langOf } from './language-menu.ts';
import { personText } from './masthead.ts';
import type { PageMark, ShownField, ShownSigner, SigningPageView } from './signing-page-view.ts';
import { timeElement } from './time-element.ts';

/**
 * Renders what others have filled in on a page: drawn on it, and as a list below it with names and times. The drawing is an
 * SVG, because its positions need no style, which the security policy forbids in markup. The list is its text alternative.
 */
export function shownMarks(view: SigningPageView, page: number, size: { width: number; height: number }): Html | null {
  const { shown } = view;
  const signers = shown.signers
    .map((signer) => ({ ...signer, fields: signer.fields.filter((field) => field.page === page) }))
    .filter(({ fields }) => fields.length > 0);
  if (signers.length === 0 && !shown.isLive) return null;
  const drawn = signers.flatMap(({ fields }) => fields.map(drawing));
  return html`<div class="shown" id="shown-${page}" data-live>${
    signers.length > 0 &&
    html`<svg class="shown-marks" viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true">${drawn}</svg>
<ul class="shown-list" role="list">
${signers.map((signer) => filledBy(signer, view))}</ul>`
  }</div>
`;
}

type DrawnField = Pick<ShownField, 'type' | 'value' | 'mark' | 'width' | 'height'>;

function filledBy(signer: ShownSigner, view: SigningPageView): Html {
  const { language } = view;
  const text = texts[language];
  const values = signer.fields.map((field) => {
    const label = field.label?.trim();
    const caption = label || text.file.fieldTypes[field.type];
    return html`<li><span dir="auto"${label ? langOf(view) : null}>${caption}</span>: ${spoken(field, language)}</li>`;
  });
  return html`<li>${text.file.filledInBy(personText(signer.name), timeElement(signer.at, language))}<ul role="list">${values}</ul></li>
`;
}

/** Returns a value as text. */
export function spoken(
  { type, value, mark }: Pick<ShownField, 'type' | 'value' | 'mark'>,
  language: PageLanguage,
): Html {
  const { file } = texts[language];
  if (type === 'radio') return html`${file.chosen}`;
  if (type === 'checkbox') return html`${value === 'true' ? file.ticked : file.notTicked}`;
  const words =
    mark === null ? value : mark.kind === 'typed' ? mark.text : type === 'stamp' ? file.picture : file.drawn;
  return html`<bdi>${words}</bdi>`;
}

/** Draws a value in an area of its own, which also clips it. Units are points of the page. */
function drawing(field: ShownField): Html {
  const { x, y, width, height } = field;
  return html`<svg x="${x}" y="${y}" width="${width}" height="${height}"><rect width="100%" height="100%"/>${content(field)}</svg>`;
}

/** Draws a value into an area with this size and the origin at its corner. */
export function content({ type, value, mark, width, height }: DrawnField): Html | null {
  if (mark !== null) return pictureOf(mark, width, height, type === 'stamp' ? 'xMidYMid' : 'xMinYMax');
  if (type !== 'checkbox' && type !== 'radio') return textLines(value, width, height);
  if (value !== 'true') return null;
  const side = Math.min(width, height);
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  const at = (across: number, down: number) => `${round(left + side * across)} ${round(top + side * down)}`;
  return html`<path d="M${at(0.2, 0.55)}L${at(0.42, 0.76)}L${at(0.8, 0.26)}" stroke-width="${round(Math.max(0.8, side * 0.1))}"/>`;
}

function pictureOf(mark: PageMark, width: number, height: number, align: string): Html {
  if (mark.kind === 'drawn') {
    return html`<image href="${mark.address}" width="${width}" height="${height}" preserveAspectRatio="${align} meet"/>`;
  }
  const size = round(Math.min(height * 0.62, width / ([...mark.text].length * 0.5 + 0.5)));
  return html`<text class="handwritten" x="${round(width / 2)}" y="${round(height / 2 + size * 0.3)}" font-size="${size}">${mark.text}</text>`;
}

function textLines(value: string, width: number, height: number): Html {
  const { lines, size, leading } = fitValue(value, width, height);
  const top = lines.length === 1 ? (height - leading) / 2 : 0;
  const isRightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(value);
  const start = isRightToLeft ? html` direction="rtl" x="${round(width - 2)}"` : html` x="2"`;
  return html`<text font-size="${size}">${lines.map(
    (line, index) =>
      html`<tspan${start} y="${round(top + index * leading + leading / 2 + size * 0.35)}">${line}</tspan>`,
  )}</text>`;
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
