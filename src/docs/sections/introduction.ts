import { accountExample } from '../../api/openapi/examples.ts';
import { html } from '../../http/html.ts';
import { clientSetup } from '../client-sample.ts';
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
  'Countersign creates documents for electronic signature, sends them to their recipients and reports their progress. This page describes its HTTP API, version 1. There is also a machine-readable [OpenAPI 3.1 description](/docs/openapi.json).',
)}
<p class="base-url"><span>Base address</span> <code>${baseUrl}</code></p>
<h3>Your first request</h3>
${paragraphs(
  'On the Team plan and above, owners and admins create keys in the account settings, under API keys. On other plans the operator of the server creates them with `countersign key create`. Put a key into your environment and retrieve its account. A test key is enough: it never sends e-mail or SMS.',
)}
<div class="samples">${codeSample('Request', curl)}${codeSample('Answer', jsonCode(accountExample))}</div>
${paragraphs('There are clients for [TypeScript](/docs/clients/typescript.html) and [Python](/docs/clients/python.html). They are not on npm or PyPI: install them from the repository of Countersign, as these pages say. The examples on this page begin with one of these:')}
<div class="samples">${codeSample('TypeScript', clientSetup('typescript', baseUrl))}${codeSample('Python', clientSetup('python', baseUrl))}</div>
<h3>From draft to signed</h3>
<ol>
<li>${prose('[Create a draft](#create-document) with its recipients in one call. Nothing is delivered yet.')}</li>
<li>${prose('[Send it](#send-document). Each recipient whose turn it is gets a signature request by e-mail or SMS, or signs in person.')}</li>
<li>${prose('[Retrieve the document](#get-document) and [its recipients](#list-document-recipients) to follow progress from `sent` to `completed`.')}</li>
</ol>
<h3>Conventions</h3>
${bullets(
  'The API is for servers. It sends no CORS headers, so web pages cannot call it.',
  'Use the base address exactly as shown. A server with a public name redirects requests for other hosts to it. Most clients then drop the `Authorization` header and get a 401.',
  'Requests and answers are JSON in UTF-8. A body is always read as JSON, with any `Content-Type`.',
  'All times are RFC 3339 in UTC. Ids are UUIDs of version 7, which sort by creation time.',
  'Every field of an answer is always present. A missing value is `null`.',
)}
`,
  };
}
