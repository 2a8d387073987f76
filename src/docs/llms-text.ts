import { templatePathOf } from '../api/openapi/names.ts';
import { anchorOf, type ReferenceOptions } from './reference.ts';

/** Returns the text of `llms.txt` (llmstxt.org): what the API is, and a link to the description of each call. */
export function llmsText({ endpoints, baseUrl, docsUrl }: ReferenceOptions): string {
  const description = new URL('/docs/openapi.json', baseUrl());
  const calls = endpoints.map(
    (endpoint) =>
      `- [${endpoint.method} ${templatePathOf(endpoint)}](${docsUrl()}#${anchorOf(endpoint)}): ${endpoint.summary}`,
  );
  return [
    '# Countersign API',
    '',
    '> Create documents, send them for signature by e-mail or SMS, follow them to completion, and download a sealed PDF.',
    '',
    `Requests go to ${baseUrl()} with \`Authorization: Bearer <API key>\` and JSON bodies. Keys that start with \`svc_test_\``,
    'send nothing to anyone. Give every write an `Idempotency-Key`, and branch on `error.code`.',
    '',
    '## Reference',
    `- [API reference](${docsUrl()}): authentication, errors, limits, pagination, idempotency, webhooks`,
    `- [OpenAPI description](${description}): every endpoint, field and error code as JSON`,
    '',
    '## Endpoints',
    ...calls,
    '',
  ].join('\n');
}
