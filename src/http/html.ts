/** Markup that needs no further escaping. Made only by `html`, so text from strangers cannot become markup by accident. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

export type HtmlPart = Html | string | number | null | false | readonly HtmlPart[];

/**
 * html`<p>${anything}</p>`: every value is escaped, for text and for double-quoted attributes alike.
 * `null` and `false` print nothing, an array prints its parts, an `Html` prints as it is.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlPart[]): Html {
  let markup = strings[0] ?? '';
  values.forEach((value, index) => {
    markup += print(value) + (strings[index + 1] ?? '');
  });
  return new Html(markup);
}

function print(part: HtmlPart): string {
  if (part instanceof Html) return part.markup;
  if (part === null || part === false) return '';
  if (typeof part === 'object') return part.map(print).join('');
  return escapeText(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON inside `<script type="application/json">`: `<` is the only character that could end the element. */
export function jsonData(id: string, value: unknown): Html {
  return new Html(
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  );
}
