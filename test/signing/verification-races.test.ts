import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockDocument } from '../../src/documents/queries.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { untilBlocked } from '../api/until-blocked.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { actionsOf, auditOf, codesSent, type Signer, signature, signerOf, withCode, wrong } from './signer.ts';

/** Concurrent requests for codes: each has one outcome, and the limits hold. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const atOnce = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

async function verificationsOf({ recipientId }: Signer): Promise<number> {
  const rows = await app.db.query({
    name: '',
    text: 'select 1 from verifications where recipient_id = $1',
    values: [recipientId],
  });
  return rows.length;
}

/** Holds the lock of a document until `meanwhile` waits for it, and runs `act` first. */
async function ahead<T>(id: string, meanwhile: () => Promise<T>, act: (tx: Tx) => Promise<unknown>): Promise<T> {
  const { promise } = await app.db.transaction(async (tx) => {
    await lockDocument(tx, company.id, id, 'all');
    const promise = meanwhile();
    await untilBlocked(app);
    await act(tx);
    return { promise };
  });
  return promise;
}

async function cancel(tx: Tx, id: string): Promise<void> {
  const document = await lockDocument(tx, company.id, id, 'all');
  if (document === null) throw new Error('the document is gone');
  await voidDocument(app.world, tx, await app.queue(), document, 'operator', 'Not needed');
}

test('of twelve requests for a code at once exactly five are granted, and one of those codes opens', async () => {
  const phone = '+1 555 020 0001';
  const { id, signer } = await signerOf(app, company, { recipients: [{ ...withCode, phone }] });
  const answers = await atOnce(12, () => signer.post('code'));
  expect(statuses(answers)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('3600');
  const codes = await codesSent(app, phone);
  expect(codes).toHaveLength(5);
  expect((await actionsOf(app, company, id)).filter((action) => action === 'code_sent')).toHaveLength(5);

  const opened = [];
  for (const code of new Set(codes)) opened.push((await signer.elsewhere().verify(code)).status);
  expect(opened.filter((status) => status === 200)).toHaveLength(1);
});

test('of twenty wrong tries at once exactly five count, and the right code comes too late', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const answers = await atOnce(20, () => signer.verify(wrong(code)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(statuses(answers)).toEqual(Array(20).fill(400));
  const failures = (await auditOf(app, company, id)).filter(({ action }) => action === 'verification_failed');
  expect(failures.map(({ detail }) => detail.failed_tries).sort()).toEqual([1, 2, 3, 4, 5]);
  expect((await signer.verify(code)).status).toBe(400);
  expect(await verificationsOf(signer)).toBe(0);
});

test('a double click on Verify, and the same code in a second browser, open once', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const [twin, other] = [signer.elsewhere(), signer.elsewhere()];
  const answers = await Promise.all([signer.verify(code), twin.verify(code), other.verify(code)]);
  expect(statuses(answers)).toEqual([200, 400, 400]);
  expect(await verificationsOf(signer)).toBe(1);
  expect((await actionsOf(app, company, id)).filter((action) => action === 'verified')).toHaveLength(1);
  // A second tab of the verified browser has its cookie.
  const winner = [signer, twin, other].find(({ cookies }) => cookies.size === 1);
  expect((await winner?.verify(code))?.body).toEqual({ state: 'open' });
});

test('a double click on Verify in one page opens it twice and is recorded once', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const twin = signer.elsewhere();
  const name = 'the name of one open page'.padEnd(40, '.');
  expect(statuses(await Promise.all([signer.verify(code, name), twin.verify(code, name)]))).toEqual([200, 200]);
  expect((await actionsOf(app, company, id)).filter((action) => action === 'verified')).toHaveLength(1);
  for (const one of [signer, twin]) expect((await one.post('viewed')).body).toEqual({ state: 'open' });

  await app.db.transaction((tx) => cancel(tx, id));
  const late = await signer.elsewhere().verify(code, name);
  expect([late.status, late.body.error.code]).toEqual([409, 'document_voided']);
});

test('a document voided before the try is voided, and the code opens nothing', async () => {
  const { id, signer } = await signerOf(app, company);
  const code = await signer.sendCode();
  const answer = await ahead(
    id,
    () => signer.verify(code),
    (tx) => cancel(tx, id),
  );
  expect([answer.status, answer.body.error.code]).toEqual([409, 'document_voided']);
  expect(await verificationsOf(signer)).toBe(0);
  expect(await actionsOf(app, company, id)).not.toContain('verified');
});

test('verifying and voiding at once: verified and then voided, or voided and not verified', async () => {
  for (let i = 0; i < 8; i++) {
    const { id, signer } = await signerOf(app, company);
    const code = await signer.sendCode();
    const [answer] = await Promise.all([signer.verify(code), app.db.transaction((tx) => cancel(tx, id))]);
    const isVerified = answer.status === 200;
    if (!isVerified) expect([answer.status, answer.body.error.code]).toEqual([409, 'document_voided']);
    expect(await verificationsOf(signer)).toBe(isVerified ? 1 : 0);
    const actions = (await actionsOf(app, company, id)).filter((action) => /^verified|voided$/.test(action));
    expect(actions).toEqual(isVerified ? ['verified', 'voided'] : ['voided']);
    expect((await signer.post('sign', signature)).body.error.code).toBe('document_voided');
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('voided');
  }
});

test('a code asked for while the document is voided is not sent', async () => {
  const phone = '+1 555 020 0002';
  const { id, signer } = await signerOf(app, company, { recipients: [{ ...withCode, phone }] });
  const answer = await ahead(
    id,
    () => signer.post('code'),
    (tx) => cancel(tx, id),
  );
  expect([answer.status, answer.body.error.code]).toEqual([409, 'document_voided']);
  expect(await codesSent(app, phone)).toEqual([]);
});

test('what expires between verifying and signing is expired', async () => {
  const { signer } = await signerOf(app, company, { content: { expires_in_days: 1 } });
  app.clock.advance({ hours: 23, minutes: 50 });
  await signer.verify(await signer.sendCode());
  app.clock.advance({ minutes: 10 });
  const answer = await signer.post('sign', signature);
  expect([answer.status, answer.body.error.code]).toEqual([409, 'document_expired']);
  expect((await signer.page()).text).toContain('This document has expired');
});

test('signed in two tabs at once: one signature, one consent', async () => {
  const { id, signer } = await signerOf(app, company);
  await signer.verify(await signer.sendCode());
  const answers = await atOnce(3, () => signer.post('sign', signature));
  expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ state: 'completed' }));
  const actions = (await actionsOf(app, company, id)).filter((action) => /^(consented|signed)$/.test(action));
  expect(actions).toEqual(['consented', 'signed']);
});

test('Finish and a signature at once leave either a signature or none, and no verification', async () => {
  const { id, signer } = await signerOf(app, company);
  await signer.verify(await signer.sendCode());
  const cookies = new Map(signer.cookies);
  const [signed] = await Promise.all([signer.post('sign', signature), signer.post('finish')]);
  expect((await actionsOf(app, company, id)).includes('signed')).toBe(signed.status === 200);
  for (const [name, value] of cookies) signer.cookies.set(name, value);
  expect((await signer.page()).text).toContain('data-state="needs_code"');
});
