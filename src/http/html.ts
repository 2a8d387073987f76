/** Markup that needs no escaping. Only `html` creates it, so user text cannot become markup by accident. */
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
 * Template tag that escapes every value, for text and double-quoted attributes. `null` and `false` print nothing,
 * arrays print their parts, and `Html` values print unchanged. Example: html`<p>${anything}</p>`.
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

/** Embeds JSON in `<script type="application/json">`. `<` is the only character that could end the element. */
export function jsonData(id: string, value: unknown): Html {
  return new Html(
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  );
}
