import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../src/keys/scopes.ts';
import { type Answer, type Company, call, createCompany, createDraft } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { execute, type FaultyService, hideTable, startFaultyService } from './faulty-service.ts';

let app: FaultyService;
let company: Company;
let id: string;

beforeAll(async () => {
  app = await startFaultyService();
  company = await createCompany(app);
  id = await createDraft(app, company.key);
  await createDraft(app, company.key);
});
afterEach(async () => {
  await app.proxy.restore();
  for (const path of ['/documents', `/documents/${id}`, `/documents/${id}/recipients`]) {
    expect((await read(path)).status).toBe(200);
  }
});
afterAll(() => app.stop());

const read = (path: string) => call(app, 'GET', path, { key: company.key });
/** Reads with a new key. Nothing is read ahead for it, so the key is checked before the statement that is cut off. */
const readAfterCheck = async (path: string) =>
  call(app, 'GET', path, { key: (await company.keyWith([...scopes])).key });

/** Loses the connection before a statement of the request. A statement of an earlier request may be hit instead. */
async function readCut(statement: string, path: string): Promise<Answer> {
  for (;;) {
    app.proxy.cutBefore(statement);
    const answer = await readAfterCheck(path);
    if (answer.status !== 200) return answer;
    await app.proxy.restore();
  }
}

describe('documents_unavailable', () => {
  test('the connection breaks under the list', async () => {
    expectFailure(await readCut('list_documents_start', '/documents'), 'documents_unavailable');
  });

  test('the documents cannot be read, with and without a filter and a cursor', async () => {
    const { next_cursor: cursor } = (await read('/documents?limit=1')).body;
    const bringBack = await hideTable(app, 'documents');
    for (const query of ['', '?status=draft', `?starting_after=${cursor}`, `?ending_before=${cursor}&status=sent`]) {
      expectFailure(await read(`/documents${query}`), 'documents_unavailable', company.id);
    }
    await bringBack();
  });

  test('the page is read, but not whether more follow', async () => {
    const { next_cursor: cursor } = (await read('/documents?limit=1')).body;
    expectFailure(await readCut('list_documents_after', `/documents?ending_before=${cursor}`), 'documents_unavailable');
  });
});

describe('document_unavailable', () => {
  test.each([
    ['/documents/{id}', (of: string) => `/documents/${of}`],
    ['/documents/{id}/recipients', (of: string) => `/documents/${of}/recipients`],
  ])('GET %s: the connection breaks under the look-up, or the documents cannot be read', async (_, path) => {
    expectFailure(await readCut('find_visible_document', path(id)), 'document_unavailable', id);

    const bringBack = await hideTable(app, 'documents');
    const answer = await read(path(id));
    // Recipients are found through their document, so the error may name either.
    const named = path(id).endsWith('recipients') ? answer.body.error.code : 'document_unavailable';
    expect(['document_unavailable', 'recipients_unavailable']).toContain(named);
    expectFailure(answer, named, id);
    await bringBack();
  });
});

describe('recipients_unavailable', () => {
  test('the connection breaks under the list', async () => {
    expectFailure(await readCut('list_recipients', `/documents/${id}/recipients`), 'recipients_unavailable', id);
  });

  test('the recipients cannot be read', async () => {
    const bringBack = await hideTable(app, 'recipients');
    expectFailure(await read(`/documents/${id}/recipients`), 'recipients_unavailable', id);
    expect((await read(`/documents/${id}`)).status).toBe(200);
    await bringBack();
  });
});

describe('internal_error: a row holds a time that no clock of ours wrote', () => {
  test.each(['infinity', '-infinity', '20000-01-01', '0044-03-15 BC'])('%s', async (time) => {
    await execute(app, 'update documents set created_at = $2 where id = $1', [id, time]);
    expectFailure(await read(`/documents/${id}`), 'internal_error', time, id);
    expectFailure(await read('/documents'), 'internal_error', time);
    expectFailure(await call(app, 'POST', `/documents/${id}/send`, { key: company.key }), 'internal_error', time);
    await execute(app, 'update documents set created_at = updated_at where id = $1', [id]);
  });
});
