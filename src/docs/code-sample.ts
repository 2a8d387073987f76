import type { Endpoint } from '../api/endpoint.ts';
import { type Example, exampleOf } from '../api/openapi/examples.ts';
import { templatePathOf } from '../api/openapi/names.ts';
import { type Html, html } from '../http/html.ts';

/** What goes to a shell or comes over the wire, under a title. A block wider than the page scrolls, by keyboard too. */
export function codeSample(title: string, code: Html | string): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>\n`;
}

/** The example request of an endpoint as a `curl` to paste. The key comes from the environment, not from the page. */
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

/** What the endpoint answers to its example: the object, or the refusal that is all there is for now. */
export function answerExample(example: Example, refusal: (code: string, param?: string) => object): object {
  return 'answer' in example ? example.answer : refusal(example.refused, example.param);
}

const jsonToken = /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/g;

function shellQuoted(body: object): string {
  return `'${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`;
}
