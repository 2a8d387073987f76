import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemplate, restrictDocument } from '../../src/documents/document-actions.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

test('a document is answered in exactly the fields of the specification', async () => {
  const id = await createSent(app, company.key, { content: { expires_in_days: 2 } });
  const { status, body } = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    object: 'document',
    id,
    type: 'form',
    status: 'sent',
    title: 'Roof repair',
    description: null,
    primary_language: 'en',
    secondary_language: null,
    recipient_count: 1,
    sent_at: '2026-03-10T12:00:10.000Z',
    completed_at: null,
    voided_at: null,
    voided_reason: null,
    expires_at: '2026-03-12T12:00:10.000Z',
    created_at: '2026-03-10T12:00:10.000Z',
    updated_at: '2026-03-10T12:00:10.000Z',
  });
});

test('an id is the same in upper case', async () => {
  const id = await createDraft(app, company.key);
  const { status, body } = await call(app, 'GET', `/documents/${id.toUpperCase()}`, { key: company.key });
  expect({ status, id: body.id }).toEqual({ status: 200, id });
});

/** The endpoints below one document. Each answers in the same way for documents that it must not show. */
const endpoints: Array<[method: string, path: (id: string) => string]> = [
  ['GET', (id) => `/documents/${id}`],
  ['GET', (id) => `/documents/${id}/recipients`],
  ['POST', (id) => `/documents/${id}/send`],
];

/** Expects the same answer for every id that cannot be shown. */
async function expectNotFound(id: string): Promise<void> {
  for (const [method, path] of endpoints) {
    const answer = await call(app, method, path(id), { key: company.key });
    expectRefusal(answer, 'document_not_found');
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(await nonexistent(method, path)));
  }
}

const nonexistent = (method: string, path: (id: string) => string) =>
  call(app, method, path('01900000-0000-7000-8000-000000000000'), { key: company.key });

function withoutRequestId(answer: Answer): unknown {
  const { request_id: _, ...error } = answer.body.error;
  return error;
}

describe('document_not_found answers alike for', () => {
  test('an id that does not exist', async () => {
    await expectNotFound('01900000-0000-7000-8000-000000000000');
    await expectNotFound('00000000-0000-0000-0000-000000000000');
    await expectNotFound('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  test("another account's document, which stays as it was", async () => {
    const other = await createCompany(app);
    const id = await createDraft(app, other.key);
    await expectNotFound(id);
    expect((await call(app, 'GET', `/documents/${id}`, { key: other.key })).body.status).toBe('draft');
  });

  test('a template', async () => {
    const id = await createDraft(app, company.key);
    await operate(app, id, (tx, document) => makeTemplate(app.world, tx, document, 'operator'));
    await expectNotFound(id);
  });

  test.for(['pay', 'tax', 'identity', 'bank', 'health', 'other'] as const)('a sensitive paper (%s)', async (kind) => {
    const id = await createDraft(app, company.key);
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', kind));
    await expectNotFound(id);
  });

  test('a sensitive paper that was sent before', async () => {
    const id = await createSent(app, company.key);
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'tax'));
    await expectNotFound(id);
  });

  test.for<[string, (id: string) => string]>([
    ['a word', () => 'draft'],
    ['a number', () => '1'],
    ['a space', () => '%20'],
    ['an id cut short', (id) => id.slice(0, -1)],
    ['an id with a character more', (id) => `${id}0`],
    ['an id with a letter that is not hexadecimal', (id) => `${id.slice(0, -1)}g`],
    ['an id without hyphens', (id) => id.replaceAll('-', '')],
    ['an id in braces', (id) => `%7B${id}%7D`],
    ['a URN', (id) => `urn:uuid:${id}`],
    ['an id with a space after it', (id) => `${id}%20`],
    ['an id with a line break after it', (id) => `${id}%0A`],
    ['an id with U+0000 after it', (id) => `${id}%00`],
    ['U+0000', () => '%00'],
    ['an encoded slash', (id) => `${id}%2Fx`],
    ['encoded dots', () => '..%2F..%2Faccount'],
    ['SQL', () => "'%20or%201=1--"],
    ['text beyond ASCII', () => '%F0%9F%8F%97'],
    ['bytes that are not UTF-8', () => '%ff%fe'],
    ['a broken percent-encoding', () => '%zz'],
    ['a percent sign alone', () => '%'],
    ['a broken encoding around an id', (id) => `${id}%`],
    ['a substitution pattern', () => '$&$1'],
    ['a very long id', () => 'a'.repeat(12_000)],
  ])('a malformed id: %s', async ([, malform]) => {
    await expectNotFound(malform(await createDraft(app, company.key)));
  });

  test('a malformed id that comes with an Idempotency-Key', async () => {
    for (const id of ['%00', 'x', '%ff', '$&', '%F0%9F%8F%97', 'a'.repeat(12_000)]) {
      const headers = { 'idempotency-key': 'once' };
      expectRefusal(
        await call(app, 'POST', `/documents/${id}/send`, { key: company.key, headers }),
        'document_not_found',
      );
    }
  });
});

test('reading changes nothing', async () => {
  const id = await createSent(app, company.key);
  const before = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  app.clock.advance({ minutes: 5 });
  await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).text).toBe(before.text);
});
