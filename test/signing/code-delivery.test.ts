import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { lockDocument } from '../../src/documents/queries.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { actionsOf, auditOf, signerOf } from './signer.ts';
import { codeIn, type SmsProvider, startSmsProvider } from './sms-provider.ts';

/** An SMS provider that is slow, refuses or hangs up. */
let provider: SmsProvider;
let app: TestService;
let company: Company;

beforeAll(async () => {
  provider = await startSmsProvider();
  app = await startTestService({ env: { SMS_URL: provider.url, ROLE: 'web' } });
  company = await createCompany(app);
});
afterEach(() => {
  Object.assign(provider, { answer: { status: 201 }, hold: null });
});
afterAll(async () => {
  await app.stop();
  await provider.close();
});

test('a web process sends codes by itself: no worker runs here', async () => {
  const { signer } = await signerOf(app, company);
  expect((await signer.post('code')).status).toBe(200);
  expect((await signer.verify(codeIn(provider.texts.at(-1)))).status).toBe(200);
});

test.each([
  ['has a fault', { status: 503 }],
  ['does not know the number', { status: 400, code: 21211 }],
  ['hangs up', 'hang up'],
] as const)('a provider that %s is told of, and uses up none of the five codes', async (_what, answer) => {
  const { id, signer } = await signerOf(app, company);
  provider.answer = answer;
  for (let i = 0; i < 6; i++) {
    const failed = await signer.post('code');
    expect([failed.status, failed.body.error.code]).toEqual([502, 'code_not_sent']);
    const lost = await signer.verify(codeIn(provider.texts.at(-1)));
    expect([lost.status, lost.body.error.code]).toEqual([400, 'invalid_code']);
  }
  provider.answer = { status: 201 };
  for (let i = 0; i < 5; i++) expect((await signer.post('code')).status).toBe(200);
  expect((await signer.post('code')).status).toBe(429);
  expect((await signer.verify(codeIn(provider.texts.at(-1)))).status).toBe(200);

  const trail = await auditOf(app, company, id);
  const failures = trail.filter(({ action }) => action === 'delivery_failed');
  expect(failures).toHaveLength(6);
  expect(failures[0]?.detail).toMatchObject({ channel: 'sms', kind: 'verification_code' });
  for (const { detail } of failures) expect(String(detail.reason)).not.toContain('4742');
});

test('the code before stays good when the new one could not be sent', async () => {
  const { signer } = await signerOf(app, company);
  await signer.post('code');
  const code = codeIn(provider.texts.at(-1));
  provider.answer = { status: 503 };
  expect((await signer.post('code')).status).toBe(502);
  expect((await signer.verify(code)).status).toBe(200);
});

test('attempts that fail have a bound of their own', async () => {
  const { signer } = await signerOf(app, company);
  provider.answer = { status: 503 };
  for (let i = 0; i < 20; i++) expect((await signer.post('code')).status).toBe(502);
  const bound = await signer.post('code');
  expect([bound.status, bound.headers.get('retry-after')]).toEqual([429, '3600']);
});

test('while the provider takes its time nothing is locked, and a code that arrives first opens', async () => {
  const { id, signer } = await signerOf(app, company);
  const before = provider.texts.length;
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.hold = promise;
  const asked = signer.post('code');
  await eventually(
    async () => provider.texts.length,
    (count) => count > before,
  );
  expect((await signer.verify(codeIn(provider.texts.at(-1)))).status).toBe(200);
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    if (document !== null) await voidDocument(app.world, tx, await app.queue(), document, 'operator', 'Not needed');
  });
  resolve();
  expect((await asked).status).toBe(200);
  expect((await actionsOf(app, company, id)).slice(-3)).toEqual(['verified', 'voided', 'code_sent']);
});
