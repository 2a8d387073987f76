import { pageParameters } from '../../api/list-schema.ts';
import { html } from '../../http/html.ts';
import { limitDefault, limitMax } from '../../http/page-request.ts';
import { codeSample } from '../code-sample.ts';
import { parameterList } from '../field-list.ts';
import { bullets, paragraphs } from '../prose.ts';
import type { Section } from '../reference.ts';

export const requests: Section = {
  id: 'requests',
  title: 'Requests',
  entries: [],
  body: html`
${paragraphs('A request is checked in this order, and the first check that fails answers:')}
<ol class="steps"><li>address</li><li>key (401)</li><li>company and plan (403)</li><li>rate budget (429)</li><li>scope (403)</li><li>path and method (404)</li><li>idempotency key</li><li>body</li><li>rules of the endpoint</li></ol>
${bullets(
  'Unknown query parameters and unknown top-level properties of a body are ignored; unknown properties inside `content` are dropped silently.',
  "A query parameter sent twice is refused with that parameter's own code.",
  '`null` for an optional property means it was left out. The exception is `content`: it is an object or absent, and `null` is invalid_body.',
  'invalid_body names `body` as its `param`, also when the object at fault is a nested one.',
  "Lengths count Unicode code points. Text that holds U+0000 or a lone surrogate is refused with the field's own code.",
  'A body is at most 1 MiB, unless the operator of the server set another size. It may nest as deep as it is long. Compressed bodies (`Content-Encoding`) are not read: invalid_json.',
  'An id that is malformed, does not exist or belongs to another account answers the same 404. An unknown path or method under the base address answers route_not_found, when the key is good; `Allow` names the methods that the path has. `HEAD` works where `GET` does.',
)}
`,
};

export function idempotency(baseUrl: string): Section {
  const retry = `curl ${baseUrl}/documents/$ID/send \\\n  -X POST \\\n  -H "Authorization: Bearer $COUNTERSIGN_KEY" \\\n  -H "Idempotency-Key: send-change-order-7" \\\n  --retry 3`;
  return {
    id: 'idempotency',
    title: 'Idempotency',
    entries: [],
    body: html`
${paragraphs(
  'A write whose answer was lost can be repeated without harm: send every POST with an `Idempotency-Key` of your choosing, at most 255 characters. An empty one counts as none. The same key with the same body replays the first answer, byte for byte, and writes nothing twice.',
)}
${codeSample('A send that may be retried', retry)}
${bullets(
  'A key counts for one account and one endpoint, with the id in its path. It is remembered for 24 hours, unless the operator of the server set another time.',
  'The same key with a different body is idempotency_key_reused. Bodies are compared by meaning: order of properties and white space do not matter.',
  'While the first request still runs, a second one gets idempotency_in_progress at once. Repeat it shortly afterwards.',
  'Only 2xx answers are remembered: a refused request leaves its key free for the corrected body.',
  'A replay carries `Idempotent-Replayed: true`, a fresh `X-Request-Id` and the current rate headers. It is given only to a key that has the scope, and not for a document that the API no longer shows.',
  'The write and the record of its key are stored together, so a crash leaves both or neither. If the key cannot be recorded, nothing is written: idempotency_store_failed.',
)}
`,
  };
}

export const pagination: Section = {
  id: 'pagination',
  title: 'Pagination',
  entries: [],
  body: html`
${paragraphs(
  `Lists come in pages of ${limitDefault} items, at most ${limitMax}. Take \`next_cursor\` from an answer and send it as \`starting_after\` to get the page after it; stop when \`has_more\` is false.`,
)}
${parameterList(pageParameters)}
${bullets(
  'Both cursors at once are conflicting_cursors.',
  'A cursor is a position between items. `starting_after` gives what follows it, `ending_before` the page that ends there, in normal order; `has_more` says in both cases whether items follow the page.',
  'Cursors are opaque, and bound to the account and the list they came from: anything else is invalid_cursor. Their format can change.',
  'Loop on `has_more`, not on whether `data` is empty.',
)}
`,
};
