import type { Endpoint } from '../../api/endpoint.ts';
import { templatePathOf } from '../../api/openapi/names.ts';
import { scopeMeanings } from '../../api/openapi/scope-meanings.ts';
import { type Html, html } from '../../http/html.ts';
import type { KeyMode } from '../../keys/api-key.ts';
import { legacyScopes, type Scope, scopes } from '../../keys/scopes.ts';
import { bullets, code, paragraphs } from '../prose.ts';
import { anchorOf, type Section } from '../reference.ts';
import { table } from '../table.ts';

const modes: Record<KeyMode, string> = {
  live: 'Everything happens for real, including the delivery of signature requests.',
  test: 'Documents are created and change status exactly as in live mode, but no e-mail or SMS leaves.',
};

export function authentication(endpoints: readonly Endpoint[]): Section {
  return {
    id: 'authentication',
    title: 'Authentication',
    entries: [
      { id: 'modes', title: 'Live and test keys' },
      { id: 'scopes', title: 'Scopes' },
    ],
    body: html`
${paragraphs(
  'Send `Authorization: Bearer <API_KEY>` with every request. There is no other method, and every endpoint needs a key. Without the header the answer is missing_authorization. A key that is malformed, unknown, revoked, expired or of the wrong mode always gets invalid_api_key. Both have a `WWW-Authenticate` header.',
)}
${bullets(
  'A key is shown once, when it is created. Only a hash of it is stored. Revoke and replace a lost key.',
  'A key belongs to one company and works only inside it. Objects of another company answer 404.',
  'A revoked key stops working with the next request.',
  'A key is `svc_live_` or `svc_test_`, 32 random letters and digits, and a checksum of 6 characters. Clients can find a typing error with the checksum.',
)}
<h3 id="modes">Live and test keys</h3>
${table(
  'Modes of a key',
  ['Prefix', 'Mode', 'What it does'],
  Object.entries(modes).map(([mode, meaning]) => [code(`svc_${mode}_`), mode, meaning]),
)}
${bullets(
  'Test keys read and write the same data as live keys: there is no separate test data.',
  'The key that sends the document decides. A draft made with a test key and sent with a live key is delivered. A document sent with a test key never sends e-mail or SMS, not even copies.',
)}
<h3 id="scopes">Scopes</h3>
${paragraphs(
  `A key's scopes are chosen when it is created and cannot be changed. Create a new key for wider access. [Retrieve the account](#get-account) to see the scopes of a key. If a scope is missing, the answer is insufficient_scope. A key from before scopes existed has ${legacyScopes.map((scope) => `\`${scope}\``).join(', ')} only.`,
)}
${table(
  'Scopes and the endpoints that need them',
  ['Scope', 'Allows', 'Needed by'],
  scopes.map((scope) => [code(scope), scopeMeanings[scope], endpointsOf(scope, endpoints)]),
)}
`,
  };
}

function endpointsOf(scope: Scope, endpoints: readonly Endpoint[]): Html {
  const needing = endpoints.filter((endpoint) => endpoint.scope === scope);
  return html`${needing.map(
    (endpoint) =>
      html`<a class="endpoint-link" href="#${anchorOf(endpoint)}">${endpoint.method} ${templatePathOf(endpoint)}</a> `,
  )}`;
}
