import type { Endpoint } from '../api/endpoint.ts';
import { type Example, exampleOf } from '../api/openapi/examples.ts';
import { templatePathOf } from '../api/openapi/names.ts';
import { type Html, html } from '../http/html.ts';

/** Renders a titled code block. A block wider than the page scrolls, also by keyboard. */
export function codeSample(title: string, code: Html | string): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>\n`;
}

/** Returns the example request of an endpoint as a `curl` command. The key is read from an environment variable. */
export function curlOf(endpoint: Endpoint, baseUrl: string): string {
  const example = exampleOf(endpoint);
  const url = baseUrl + templatePathOf(endpoint).replace('{id}', '$ID');
  const lines = [
    `curl ${endpoint.path.includes(':id') ? `"${url}"` : url}`,
    '-H "Authorization: Bearer $COUNTERSIGN_KEY"',
  ];
  if (endpoint.method === 'POST') lines.push('-H "Idempotency-Key: $(uuidgen)"');
  if (example.request !== undefined)
    lines.push('-H "Content-Type: application/json"', `-d ${shellQuoted(example.request)}`);
  else if (endpoint.method === 'POST') lines.push('-X POST');
  return lines.join(' \\\n  ');
}

/** Renders a value as indented JSON with highlighted keys, texts and values. */
export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(jsonToken)) {
    const kind = match.groups?.key !== undefined ? 'key' : match.groups?.text !== undefined ? 'text' : 'value';
    parts.push(html`${text.slice(end, match.index)}<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** Returns the answer to an endpoint's example: an object, or an error if the example is always refused. */
export function answerExample(example: Example, refusal: (code: string, param?: string) => object): object {
  return 'answer' in example ? example.answer : refusal(example.refused, example.param);
}

const jsonToken = /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/g;

function shellQuoted(body: object): string {
  return `'${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`;
}
