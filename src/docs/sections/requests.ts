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
${paragraphs('A request is checked in this order. The first failed check decides the answer:')}
<ol class="steps"><li>address</li><li>key (401)</li><li>company and plan (403)</li><li>rate budget (429)</li><li>scope (403)</li><li>path and method (404)</li><li>idempotency key</li><li>body</li><li>rules of the endpoint</li></ol>
${bullets(
  'Unknown query parameters and unknown top-level properties of a body are ignored; unknown properties inside `content` are dropped.',
  "A query parameter sent twice is refused with that parameter's own code.",
  '`null` for an optional property is the same as leaving it out. The exception is `content`: `null` answers invalid_body.',
  'invalid_body has the `param` `body`, also for a nested object.',
  "Lengths count Unicode code points. Text that holds U+0000 or a lone surrogate is refused with the field's own code.",
  'A body has at most 1 MiB, unless the operator of the server sets another size. Nesting has no other limit. Compressed bodies (`Content-Encoding`) answer invalid_json.',
  'An id that is malformed, does not exist or belongs to another account answers the same 404. An unknown path or method under the base address answers route_not_found if the key is valid. `Allow` names the methods of the path. `HEAD` works wherever `GET` does.',
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
  'A write whose answer was lost can be repeated safely. Send every POST with an `Idempotency-Key` of your choice, at most 255 characters. An empty key is the same as none. The same key with the same body returns the first answer, byte for byte, and writes nothing twice.',
)}
${codeSample('A send that may be retried', retry)}
${bullets(
  'A key is valid for one account and one endpoint, including the id in its path. It is stored for 24 hours, unless the operator of the server sets another time.',
  'The same key with a different body answers idempotency_key_reused. The order of properties and white space do not matter.',
  'While the first request is running, a second one gets idempotency_in_progress. Repeat it after a moment.',
  'Only 2xx answers are stored. After an error you can use the key again with a corrected body.',
  'A replayed answer has `Idempotent-Replayed: true`, a new `X-Request-Id` and the current rate headers. It needs an API key with the scope, and a document that the API still shows.',
  'The write and its key are stored in one transaction, so a crash leaves both or neither. If the key cannot be stored, nothing is written: idempotency_store_failed.',
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
  'Both cursors at once answer conflicting_cursors.',
  'A cursor is a position between items. `starting_after` returns the items after it. `ending_before` returns the page that ends there, in normal order. In both cases `has_more` says whether items follow the page.',
  'Cursors are opaque and belong to the account and list that they came from. Other cursors answer invalid_cursor. Their format can change.',
  'Loop on `has_more`, not on whether `data` is empty.',
)}
`,
};
