import type { Endpoint } from '../../api/endpoint.ts';
import { answerCodesOf, codedFields, commonCodesOf, statusOf } from '../../api/openapi/answer-codes.ts';
import { templatePathOf } from '../../api/openapi/names.ts';
import { errorSchema } from '../../api/openapi/responses.ts';
import { ApiError, type ErrorCode, type ErrorType, errorCatalogue, errorStatus } from '../../errors.ts';
import { errorEnvelope } from '../../http/envelope.ts';
import { type Html, html } from '../../http/html.ts';
import { codeSample, jsonCode } from '../code-sample.ts';
import { errorAdvice, typeAdvice } from '../error-advice.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import { anchorOf, type Section } from '../reference.ts';
import { table } from '../table.ts';
import { codesByStatus } from './endpoints.ts';

const types = Object.keys(errorStatus) as ErrorType[];
const codes = Object.keys(errorCatalogue) as ErrorCode[];

export function errors(endpoints: readonly Endpoint[], docsUrl: string): Section {
  const example = errorEnvelope(
    new ApiError('invalid_recipient_email', { param: 'recipients[2].email' }),
    'req_5f2c8a4e91d07b36c4e81a90',
    docsUrl,
  );
  const properties = Object.entries(errorSchema.properties.error.properties);
  return {
    id: 'errors',
    title: 'Errors',
    entries: types.map((type) => ({ id: type, title: type })),
    body: html`
${paragraphs('Every error has the same shape. Branch on `code`, and treat an unknown code as its `type`. New codes may be added to a type, but none is renamed within version 1.')}
${codeSample('Answer · 400', jsonCode(example))}
${table(
  'The error object',
  ['Field', 'Meaning'],
  properties.map(([name, schema]) => [code(`error.${name}`), prose(schema.description)]),
)}
${bullets(
  'Retry a 429 after `Retry-After`. Retry a 500 and a 502 after `Retry-After`, with growing pauses, and a POST with the same `Idempotency-Key`. Do not retry a 400, 401, 403 or 404 unchanged.',
  'Name the `request_id` when you report a failure. It is in the log of the server.',
)}
<h3 id="common-errors">Errors of every request</h3>
${codesByStatus(codesOfEvery(endpoints))}
${types.map((type) => typeArticle(type, endpoints))}
`,
  };
}

function typeArticle(type: ErrorType, endpoints: readonly Endpoint[]): Html {
  return html`
<section class="error-type" aria-labelledby="${type}">
<h3 id="${type}"><a href="#${type}"><code>${type}</code></a> <span class="status">${statusesOf(type)}</span></h3>
<p>${prose(typeAdvice[type])}</p>
${codes.filter((each) => errorCatalogue[each].type === type).map((each) => codeArticle(each, endpoints))}
</section>
`;
}

function codeArticle(name: ErrorCode, endpoints: readonly Endpoint[]): Html {
  const param = paramOf(name, endpoints);
  return html`<article class="error" id="${name}">
<h4><a href="#${name}"><code>${name}</code></a> <span class="status">${statusOf(name)}</span></h4>
<p class="message">${prose(errorCatalogue[name].message)}</p>
<p>${prose(errorAdvice[name].advice)}</p>
<p class="where">${where(name, endpoints)}${param !== null && html` <span class="param">param <code>${param}</code></span>`}</p>
</article>
`;
}

/** Lists the endpoints that can answer with the code. */
function where(name: ErrorCode, endpoints: readonly Endpoint[]): Html {
  const answering = endpoints.filter((endpoint) => answerCodesOf(endpoint).includes(name));
  if (answering.length === endpoints.length) return html`Every endpoint.`;
  if (endpoints.every((endpoint) => (endpoint.scope === null) !== answering.includes(endpoint))) {
    return html`Every endpoint that needs a scope.`;
  }
  if (name === 'route_not_found') return html`Every address under the base address that is not an endpoint.`;
  if (answering.length === 0) return html`<a class="endpoint-link" href="#event-stream">The event stream</a>`;
  return html`${answering.map(
    (endpoint) =>
      html`<a class="endpoint-link" href="#${anchorOf(endpoint)}">${endpoint.method} ${templatePathOf(endpoint)}</a> `,
  )}`;
}

/** Returns the field whose schema names the code, or else the `param` of the error advice. */
function paramOf(name: ErrorCode, endpoints: readonly Endpoint[]): string | null {
  const { param } = errorAdvice[name];
  if (param !== undefined) return param;
  const fields = endpoints.flatMap(({ body, query }) => [
    ...Object.entries(query ?? {}).flatMap(([path, schema]) => codedFields(schema, path)),
    ...(body === undefined ? [] : codedFields(body.schema)),
  ]);
  const paths = new Set(fields.filter((field) => field.code === name).map((field) => field.path));
  return paths.size === 0 ? null : [...paths].join(' or ');
}

function codesOfEvery(endpoints: readonly Endpoint[]): ErrorCode[] {
  const common = endpoints.map(commonCodesOf);
  return (common[0] ?? []).filter((each) => common.every((list) => list.includes(each)));
}

function statusesOf(type: ErrorType): string {
  const statuses = codes.filter((each) => errorCatalogue[each].type === type).map(statusOf);
  return [...new Set(statuses)].sort((a, b) => a - b).join(' or ');
}
