import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  aDraft,
  type CallOptions,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Real answers match the published description, so that a generated client can read them. */
let app: TestService;
let described: Description;
let ajv: Ajv2020;

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

beforeAll(async () => {
  app = await startTestService();
  described = (await (await fetch(`${app.service.origin}/docs/openapi.json`)).json()) as Description;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(described, 'description');
});
afterAll(() => app.stop());

/** Returns the schema of an answer, or undefined if the description lacks its status. */
function schemaFor(method: string, template: string, status: number): ValidateFunction | undefined {
  const responses = described.paths[template]?.[method.toLowerCase()]?.responses;
  if (responses?.[status] === undefined) return undefined;
  const pointer = [
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
  return ajv.compile({ $ref: `description#/${pointer}` });
}

function expectDescribed(method: string, template: string, answer: Answer): void {
  const what = `${method} ${template}: ${answer.status} ${answer.text}`;
  const validate = schemaFor(method, template, answer.status);
  expect(validate, what).toBeDefined();
  expect(validate?.({}), `${what}: a schema that refuses nothing proves nothing`).toBe(false);
  const isValid = validate?.(answer.body);
  expect(isValid, `${what}\n${ajv.errorsText(validate?.errors)}`).toBe(true);
}

test('every kind of answer, of success and of refusal, is as the description says', async () => {
  const company = await createCompany(app);
  const { key } = company;
  const sent = await createSent(app, key, { content: { expires_in_days: 3 } });
  const copyOnly = await createDraft(app, key, { recipients: [{ name: 'C', email: 'c@example.com', role: 'cc' }] });
  const draft = await createDraft(app, key);
  const free = await createCompany(app, 'free');
  const narrow = await company.keyWith([]);
  const long = { 'idempotency-key': 'x'.repeat(256) };

  const anyEndpoint: CallOptions[] = [{}, { key: 'x' }, { key: free.key }, { key: narrow.key }];
  const requests: Array<[method: string, template: string, path: string, options: CallOptions[]]> = [
    ['GET', '/account', '/account', [...anyEndpoint, { key }]],
    ['GET', '/documents', '/documents', [...anyEndpoint, { key }]],
    ['GET', '/documents', '/documents?limit=0', [{ key }]],
    ['GET', '/documents', '/documents?status=x', [{ key }]],
    ['GET', '/documents', '/documents?starting_after=x', [{ key }]],
    ['GET', '/documents', '/documents?starting_after=x&ending_before=x', [{ key }]],
    ['GET', '/documents', '/documents?limit=1', [{ key }]],
    [
      'POST',
      '/documents',
      '/documents',
      [
        ...anyEndpoint,
        { key, body: aDraft },
        { key, body: aDraft, headers: long },
        { key, raw: '{' },
        { key, raw: ' '.repeat(1_048_577) },
        { key, body: [] },
        { key, body: {} },
        { key, body: { title: 'x', recipients: [{ name: 'A' }] } },
        { key, body: aDraft, headers: { 'idempotency-key': 'used' } },
        { key, body: {}, headers: { 'idempotency-key': 'used' } },
      ],
    ],
    ['GET', '/documents/{id}', `/documents/${sent}`, [...anyEndpoint, { key }]],
    ['GET', '/documents/{id}', '/documents/x', [{ key }]],
    ['GET', '/documents/{id}/recipients', `/documents/${sent}/recipients`, [...anyEndpoint, { key }]],
    ['GET', '/documents/{id}/recipients', '/documents/x/recipients', [{ key }]],
    [
      'POST',
      '/documents/{id}/send',
      `/documents/${draft}/send`,
      [...anyEndpoint, { key, raw: '{' }, { key, headers: long }, { key }, { key }],
    ],
    ['POST', '/documents/{id}/send', '/documents/x/send', [{ key }]],
    ['POST', '/documents/{id}/send', `/documents/${copyOnly}/send`, [{ key }]],
    ['GET', '/imports', '/imports', [...anyEndpoint, { key }]],
    ['GET', '/imports', '/imports?status=x', [{ key }]],
    [
      'POST',
      '/imports',
      '/imports',
      [
        ...anyEndpoint,
        { key, raw: '{' },
        { key, body: [] },
        { key, body: {} },
        { key, body: { source: 'esign_vendor' } },
        { key, body: { source: 'cloud_files' } },
        { key, body: {}, headers: long },
      ],
    ],
    ['GET', '/imports/{id}', '/imports/x', [...anyEndpoint, { key }]],
    ['GET', '/imports/{id}/items', '/imports/x/items', [...anyEndpoint, { key }]],
    ['GET', '/imports/{id}/items', '/imports/x/items?limit=0', [{ key }]],
  ];
  for (const [method, template, path, options] of requests) {
    for (const option of options) expectDescribed(method, template, await call(app, method, path, option));
  }
});

test('every answer carries the headers that the description promises', async () => {
  const { key } = await createCompany(app);
  const { headers } = await call(app, 'GET', '/account', { key });
  const response = described.paths['/account']?.get?.responses['200'] as { headers: Record<string, unknown> };
  for (const name of Object.keys(response.headers)) expect(headers.get(name), name).not.toBeNull();
});
