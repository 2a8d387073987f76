import { afterAll, beforeAll, expect, test } from 'vitest';
import { failWrites } from '../faults/faulty-service.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { actionsOf, auditOf, signerOf, wrong } from './signer.ts';

/** After any fault, a code allows no more tries and no more uses than before. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

test('a try counts although all that should follow it fails', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const mend = await failWrites(app, 'audit_entries', 'at once');
  for (let i = 0; i < 5; i++) expect((await signer.verify(wrong(code))).status).toBe(500);
  await mend();
  expect((await signer.verify(code)).body.error.code).toBe('invalid_code');
  expect(await actionsOf(app, company, id)).not.toContain('verified');
});

test('the right code is used when it opened, not when that failed', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const mend = await failWrites(app, 'verifications', 'at commit');
  const failed = await signer.verify(code);
  expect([failed.status, failed.body.error.code]).toEqual([500, 'temporarily_unavailable']);
  expect(signer.cookies.size).toBe(0);
  await mend();
  expect((await signer.page()).text).toContain('data-state="needs_code"');
  expect((await signer.verify(code)).status).toBe(200);
  const verified = (await auditOf(app, company, id)).filter(({ action }) => action === 'verified');
  expect(verified).toHaveLength(1);
});

test('a code that could not be written down is not sent', async () => {
  const { signer } = await signerOf(app, company);
  const mend = await failWrites(app, 'verification_codes', 'at commit');
  expect((await signer.post('code')).status).toBe(500);
  await mend();
  const code = await signer.sendCode();
  expect((await signer.verify(code)).status).toBe(200);
});
