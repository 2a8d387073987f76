import { Type } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import { commonCodesOf, ownCodesOf, statusOf } from '../../api/openapi/answer-codes.ts';
import { exampleOf } from '../../api/openapi/examples.ts';
import { answerNameOf, tagOf, templatePathOf } from '../../api/openapi/names.ts';
import { idempotencyKeyParameter, idParameter } from '../../api/openapi/operation.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { errorEnvelope } from '../../http/envelope.ts';
import { type Html, html } from '../../http/html.ts';
import { asJsonSchema } from '../../http/json-schema.ts';
import { errorCodeKeyword } from '../../http/validate-body.ts';
import { clientCallOf, foldedSample } from '../client-sample.ts';
import { answerExample, codeSample, curlOf, jsonCode } from '../code-sample.ts';
import { fieldList, parameterList } from '../field-list.ts';
import { code, prose } from '../prose.ts';
import { anchorOf, type Section } from '../reference.ts';
import { anchorOfObject } from './objects.ts';

/** One section for each group of endpoints: `/documents…` together, `/imports…` together. */
export function endpointSections(endpoints: readonly Endpoint[], baseUrl: string, docsUrl: string): Section[] {
  return [...Map.groupBy(endpoints, tagOf)].map(([tag, group]) => ({
    id: tag.toLowerCase(),
    title: tag,
    entries: group.map((endpoint) => ({
      id: anchorOf(endpoint),
      title: endpoint.summary,
      method: endpoint.method,
    })),
    body: html`${group.map((endpoint) => endpointArticle(endpoint, baseUrl, docsUrl))}`,
  }));
}

function endpointArticle(endpoint: Endpoint, baseUrl: string, docsUrl: string): Html {
  const id = anchorOf(endpoint);
  const answerName = answerNameOf(endpoint.answer.schema);
  return html`
<article class="endpoint" id="${id}" aria-labelledby="${id}-title">
<div class="endpoint-text">
<h3 id="${id}-title"><a href="#${id}">${endpoint.summary}</a></h3>
<p class="route"><span class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</span> <code>${templatePathOf(endpoint)}</code></p>
<p>${prose(endpoint.description)}</p>
<p class="scope">${endpoint.scope === null ? 'Needs no scope.' : html`Needs the scope ${code(endpoint.scope)}.`}</p>
${inputs(endpoint)}
<h4>Answer</h4>
<p><span class="status">${endpoint.answer.status}</span> <a href="#${anchorOfObject(answerName)}">${answerName}</a>. ${prose(endpoint.answer.description)}</p>
<h4>Errors</h4>
${codesByStatus(ownCodesOf(endpoint))}
<p>Also the errors of <a href="#common-errors">every request</a>${commonCodesOf(endpoint).includes('insufficient_scope') ? html`, and ${code('insufficient_scope')}` : null}.</p>
</div>
<div class="endpoint-code">
${codeSample('Request', curlOf(endpoint, baseUrl))}
${foldedSample('TypeScript', clientCallOf(endpoint, 'typescript'))}
${foldedSample('Python', clientCallOf(endpoint, 'python'))}
${exampleAnswer(endpoint, docsUrl)}
</div>
</article>
`;
}

function inputs({ method, path, query, body }: Endpoint): Html {
  const hasFields = body !== undefined && Object.keys(body.schema.properties).length > 0;
  return html`${path.includes(':id') && html`<h4>Path</h4>${parameterList({ id: pathId })}`}${
    method === 'POST' && html`<h4>Headers</h4>${parameterList({ 'Idempotency-Key': idempotencyKey })}`
  }${query !== undefined && html`<h4>Query</h4>${parameterList(query)}`}${
    hasFields &&
    html`<h4>Body</h4><p>${prose(asJsonSchema(body.schema).description ?? '')}</p>${fieldList(body.schema, 'request')}`
  }`;
}

const pathId = Type.Unsafe({ ...idParameter.schema, description: idParameter.description });
const idempotencyKey = Type.Unsafe({
  ...idempotencyKeyParameter.schema,
  [errorCodeKeyword]: 'invalid_idempotency_key',
  description: `${idempotencyKeyParameter.description} See [idempotency](#idempotency).`,
});

export function codesByStatus(codes: readonly ErrorCode[]): Html {
  const groups = [...Map.groupBy(codes, statusOf)].sort(([a], [b]) => a - b);
  return html`<dl class="codes">${groups.map(
    ([status, group]) => html`<dt>${status}</dt><dd>${group.map((each) => html`${code(each)} `)}</dd>`,
  )}</dl>\n`;
}

function exampleAnswer(endpoint: Endpoint, docsUrl: string): Html {
  const example = exampleOf(endpoint);
  const status = 'answer' in example ? endpoint.answer.status : statusOf(example.refused);
  const refusal = (refused: string, param?: string) =>
    errorEnvelope(
      new ApiError(refused as ErrorCode, param === undefined ? {} : { param }),
      'req_5f2c8a4e91d07b36c4e81a90',
      docsUrl,
    );
  return codeSample(`Answer · ${status}`, jsonCode(answerExample(example, refusal)));
}
