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
  live: 'Everything happens for real, the delivery of signature requests included.',
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
  'Every request carries `Authorization: Bearer <API_KEY>`. There is no other method and no endpoint without a key. Without the header the answer is missing_authorization; a key that is malformed, unknown, revoked, expired or of the wrong mode always gets the same invalid_api_key.',
)}
${bullets(
  'A key is shown once, when it is created. Only a hash of it is stored: a lost key is revoked and replaced.',
  'A key belongs to one company and works only inside it. What belongs to another company answers 404.',
  'Revoking takes effect with the next request.',
  'A key is `svc_live_` or `svc_test_`, 32 random letters and digits, and 6 characters of checksum, so that a typing error can be found without asking the server.',
)}
<h3 id="modes">Live and test keys</h3>
${table(
  'Modes of a key',
  ['Prefix', 'Mode', 'What it does'],
  Object.entries(modes).map(([mode, meaning]) => [code(`svc_${mode}_`), mode, meaning]),
)}
${bullets(
  'Test keys read and write the same data as live keys: there is no separate test data.',
  'The key that sends decides. A draft made with a test key and sent with a live one is delivered; a document sent with a test key never sends e-mail or SMS for its whole life, copies included.',
)}
<h3 id="scopes">Scopes</h3>
${paragraphs(
  `A key's scopes are chosen when it is created and cannot be changed; wider access needs a new key. [Retrieve the account](#get-account) to see which a key has. Without the scope an endpoint needs, the answer is insufficient_scope. A key from before scopes existed has ${legacyScopes.map((scope) => `\`${scope}\``).join(', ')} and no more.`,
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
