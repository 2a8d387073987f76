import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { scopes } from '../../src/keys/scopes.ts';
import { aDraft, type Company, call, createCompany } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { type FaultyService, hideTable, startFaultyService, written } from './faulty-service.ts';

let app: FaultyService;
let company: Company;

beforeAll(async () => {
  app = await startFaultyService({}, true);
  company = await createCompany(app);
});
afterEach(() => app.proxy.restore());
afterAll(() => app.stop());

const askAccount = () => call(app, 'GET', '/account', { key: company.key });

describe('GET /account answers account_unavailable', () => {
  test('when its statement fails', async () => {
    const held = app.proxy.hold('find_account');
    const answer = askAccount();
    await held.reached;
    const bringBack = await hideTable(app, 'accounts');
    held.release();
    expectFailure(await answer, 'account_unavailable', company.key, company.id);
    await bringBack();
    expect((await askAccount()).status).toBe(200);
  });

  test('when the connection breaks', async () => {
    app.proxy.cutBefore('find_account');
    // Nothing is read ahead for a new key, so it is checked before the connection breaks.
    const { key } = await company.keyWith([...scopes]);
    const answer = await call(app, 'GET', '/account', { key });
    expectFailure(answer, 'account_unavailable', key);
    expect(answer.headers.get('x-ratelimit-limit-burst')).toBe('1200');
    expect((await askAccount()).status).toBe(200);
  });
});

describe('POST /documents answers account_unavailable when the company goes away between admission and write', () => {
  test.each([
    ['without an Idempotency-Key', {}],
    ['with one', { 'idempotency-key': 'vanishing' }],
  ])('%s', async (_, headers) => {
    const vanishing = await createCompany(app);
    const before = await written(app);
    const held = app.proxy.hold('create_document');
    const answer = call(app, 'POST', '/documents', { key: vanishing.key, body: aDraft, headers });
    await held.reached;
    await app.db.transaction((tx) => removeAccount(app.world, tx, vanishing.id));
    held.release();
    expectFailure(await answer, 'account_unavailable', vanishing.key, vanishing.id);
    expect(await written(app)).toEqual(before);

    const after = await call(app, 'POST', '/documents', { key: vanishing.key, body: aDraft, headers });
    expect(after.body.error.code).toBe('key_company_unavailable');
  });
});
