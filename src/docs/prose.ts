import { errorCatalogue, errorStatus } from '../errors.ts';
import { type Html, html } from '../http/html.ts';

/**
 * Renders a plain sentence as HTML. Marks `code` in backticks, [text](#anchor) and names_with_underscores. The name of
 * an error links to its description.
 */
export function prose(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    parts.push(html`${text.slice(end, match.index)}`, mark(match));
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}

export function paragraphs(...texts: string[]): Html {
  return html`${texts.map((text) => html`<p>${prose(text)}</p>\n`)}`;
}

export function bullets(...texts: string[]): Html {
  return html`<ul>\n${texts.map((text) => html`<li>${prose(text)}</li>\n`)}</ul>\n`;
}

/** Renders a word as code, and the name of an error as a link to its description. */
export function code(word: string): Html {
  const isError = Object.hasOwn(errorCatalogue, word) || Object.hasOwn(errorStatus, word);
  return isError ? html`<a href="#${word}"><code>${word}</code></a>` : html`<code>${word}</code>`;
}

const marked =
  /`(?<code>[^`]+)`|\[(?<text>[^\]]+)\]\((?<href>[^)]+)\)|\b(?<name>(?:[a-z]+\.)?[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b/g;

function mark({ groups = {} }: RegExpExecArray): Html {
  const { text, href } = groups;
  if (text !== undefined && href !== undefined) return html`<a href="${href}">${text}</a>`;
  return code((groups.code ?? groups.name) as string);
}
