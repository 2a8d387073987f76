import { accountExample } from '../../api/openapi/examples.ts';
import { html } from '../../http/html.ts';
import { codeSample, jsonCode } from '../code-sample.ts';
import { bullets, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';

export function introduction(baseUrl: string): Section {
  const curl = `export COUNTERSIGN_KEY='svc_test_…'\n\ncurl ${baseUrl}/account \\\n  -H "Authorization: Bearer $COUNTERSIGN_KEY"`;
  return {
    id: 'introduction',
    title: 'Introduction',
    entries: [],
    body: html`
${paragraphs(
  'Countersign creates documents for electronic signature, sends them to their recipients and reports how far they have come. This page describes its HTTP API, version 1. The same in machine-readable form: [the OpenAPI 3.1 description](/docs/openapi.json).',
)}
<p class="base-url"><span>Base address</span> <code>${baseUrl}</code></p>
<h3>Your first request</h3>
${paragraphs(
  'On the Team plan and above, owners and admins make keys in the account settings, under API keys; on other plans whoever runs this server does, with `countersign key create` on its command line. Put one into your environment and ask whose it is. A test key is enough: it never lets e-mail or SMS leave.',
)}
<div class="samples">${codeSample('Request', curl)}${codeSample('Answer', jsonCode(accountExample))}</div>
<h3>From draft to signed</h3>
<ol>
<li>${prose('[Create a draft](#create-document) with its recipients in one call. Nothing is delivered.')}</li>
<li>${prose('[Send it](#send-document). Each recipient whose turn it is gets a signature request by e-mail or SMS, or signs in person.')}</li>
<li>${prose('[Retrieve the document](#get-document) and [its recipients](#list-document-recipients) to follow progress from `sent` to `completed`.')}</li>
</ol>
<h3>What holds everywhere</h3>
${bullets(
  'The API is for servers: there is no CORS allowance, so a browser cannot call it from a page.',
  'The base address is the only supported one. Where the server has a public name, a request to another host is redirected to it; most clients drop the `Authorization` header on the way and get a 401.',
  'Requests and answers are JSON in UTF-8. A body is read as JSON whatever its `Content-Type` says.',
  'All times are RFC 3339 in UTC. Ids are UUIDs of version 7, which ascend with the time they were made.',
  'Every field of an answer is always present; a value there is none of is `null`.',
)}
`,
  };
}
