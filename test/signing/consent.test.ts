import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDetail } from '../../src/documents/hidden-details.ts';
import { currentDisclosure, disclosureSha256, disclosureVersion } from '../../src/signing/disclosure.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { actionsOf, auditOf, openLinkOf, signature, signerOf } from './signer.ts';

/** Signers see a disclosure before they sign, and the audit trail records its version. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Theo Brandt', email: 'theo@example.com', role: 'approver' },
];

test('the disclosure stands on the page, and signing or approving accepts the version it shows', async () => {
  const { id, signer } = await signerOf(app, company, {
    recipients,
    primary_language: 'es',
    content: { sign_order_mode: 'sequential' },
  });
  const page = await signer.page();
  expect(page.text).toContain('Qué significa firmar electrónicamente');
  expect(page.text).toContain(`data-disclosure="${disclosureVersion}"`);
  await signer.post('sign', { ...signature, disclosure: disclosureVersion });
  const approver = await openLinkOf(app, company, id, 'Theo Brandt');
  await approver.post('sign', { ...signature, full_name: 'Theo Brandt' });

  const consents = (await auditOf(app, company, id)).filter(({ action }) => action === 'consented');
  const from = { ip: '127.0.0.1', user_agent: 'Test/1.0', language: 'es', disclosure: disclosureVersion };
  const disclosure_sha256 = disclosureSha256(currentDisclosure('es'), 'es', 'signing');
  const agreed = { ...from, how: 'signing', disclosure_sha256 };
  expect(consents.map((entry) => ({ actor: entry.actor, detail: openDetail(entry) }))).toEqual([
    { actor: `recipient:${signer.recipientId}`, detail: { name: 'Ada Lovelace', ...agreed } },
    { actor: `recipient:${approver.recipientId}`, detail: { name: 'Theo Brandt', ...agreed } },
  ]);
});

test('nobody agrees to a text that never was', async () => {
  const { id, signer } = await signerOf(app, company, { recipients: recipients.slice(0, 1) });
  for (const disclosure of ['1999-01', '', 7, {}]) {
    const answer = await signer.post('sign', { ...signature, disclosure });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'malformed_request']);
  }
  expect(await actionsOf(app, company, id)).not.toContain('consented');
});

test('looking and declining agree to nothing', async () => {
  const { id, signer } = await signerOf(app, company, { recipients: recipients.slice(0, 1) });
  await signer.page();
  await signer.post('viewed');
  await signer.post('decline', { reason: 'No' });
  expect(await actionsOf(app, company, id)).not.toContain('consented');
});

test('where Finish leads names no document, in the language of the reader', async () => {
  const { signer } = await signerOf(app, company, { recipients: recipients.slice(0, 1) });
  expect((await signer.post('finish')).body).toEqual({ state: 'open' });
  const origin = new URL(app.baseUrl).origin;
  for (const [language, sentence] of [
    ['en-GB', 'You can close this page'],
    ['es-MX', 'Puede cerrar esta página'],
  ] as const) {
    const response = await fetch(`${origin}/sign/finished`, { headers: { 'accept-language': language } });
    const page = await response.text();
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page).toContain(sentence);
    expect(page).not.toContain('Roof repair');
  }
});
