import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findDocument } from '../../src/documents/queries.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { inspect, pdfText } from '../../src/sealing/testing/tools.ts';
import { startTsa } from '../../src/sealing/testing/tsa-server.ts';
import { currentDisclosure, disclosures, disclosureVersion } from '../../src/signing/disclosure.ts';
import { loadSealInput } from '../../src/signing/load-seal-input.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { attachPdf, fieldsOf, placeOn } from '../support/attach.ts';
import { samplePng } from '../support/sample-logo.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  TestClock,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { auditOf, openLinkOf, type Signer, signature, withCode, wrong } from './signer.ts';

/** What the certificate of completion says of a document that was sent and signed for real. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());
/** The service of all tests but those that start one of their own. */
const ownApp = () => app;
const ownCompany = () => company;

const picture = drawnSignature();
const pictureSha256 = createHash('sha256').update(picture).digest('hex');
const uploaded = { ...signature, signature: { kind: 'uploaded', png: picture.toString('base64') } };

/** Sends a document from the console, with a code for its signer. */
async function sentByMember(): Promise<{ id: string; email: string; signer: Signer }> {
  const member = await addMember(app, company.id, 'member');
  const id = await createDraft(app, company.key, { recipients: [withCode] });
  const { status } = await (await signedIn(app, member)).post(`/documents/${id}/send`);
  expect(status).toBe(200);
  await eventually(
    () =>
      app.db.query({
        name: '',
        text: "select 1 from messages where document_id = $1 and kind = 'signature_request' and status = 'accepted'",
        values: [id],
      }),
    (accepted) => accepted.length === 1,
  );
  return { id, email: member.email, signer: await openLinkOf(app, company, id, withCode.name) };
}

async function verifyAfterWrongCode(signer: Signer): Promise<void> {
  const code = await signer.sendCode();
  await signer.verify(wrong(code));
  expect((await signer.verify(code)).status).toBe(200);
}

test('it says who sent the document, how the signer was identified, and how the signature was made', async () => {
  const { id, email, signer } = await sentByMember();
  await verifyAfterWrongCode(signer);
  expect((await signer.post('sign', uploaded)).status).toBe(200);

  const { detail } = (await auditOf(app, company, id)).find(({ action }) => action === 'signed') ?? { detail: {} };
  expect(detail).toMatchObject({ method: 'uploaded', signature_sha256: pictureSha256 });
  const text = pdfText(await sealedPdf(app, id)).replace(/\s+/g, ' ');
  for (const said of [
    email,
    `${new URL(app.baseUrl).origin}/verify`,
    'accepted by the mail server',
    'after 1 wrong code',
    'Uploaded picture',
    pictureSha256,
    `Electronic signature disclosure ${disclosureVersion}`,
    ...currentDisclosure('en').points,
  ]) {
    expect(text).toContain(said);
  }
});

test('it prints the disclosure of the page that was signed on, also when the page is older than the service', async () => {
  const { id, signer } = await sentByMember();
  await verifyAfterWrongCode(signer);
  expect((await signer.post('sign', { ...signature, disclosure: '2026-11' })).status).toBe(200);
  const text = pdfText(await sealedPdf(app, id)).replace(/\s+/g, ' ');
  expect(text).toContain('Electronic signature disclosure 2026-11,');
  for (const point of disclosures.get('2026-11')?.en.points ?? ['no such text']) expect(text).toContain(point);
});

test('a picture that was changed behind the service after signing is never sealed', async () => {
  const { id, signer } = await sentByMember();
  await verifyAfterWrongCode(signer);
  await signer.post('sign', uploaded);
  const load = async () => {
    const document = await findDocument(app.db, id);
    if (document === null) throw new Error(`there is no document ${id}`);
    return loadSealInput(app.world, app.db, document, 'http://localhost/verify');
  };
  expect((await load()).recipients[0]).toMatchObject({ method: 'uploaded', pictureSha256 });
  for (const other of [drawnSignature(300, 100), null]) {
    await app.db.query({
      name: '',
      text: 'update recipients set signature_png = $2 where document_id = $1',
      values: [id, other],
    });
    await expect(load()).rejects.toThrow('is not what was signed');
  }
});

test('a trail of an early version does not say whether a picture was drawn or uploaded', async () => {
  const { id, signer } = await sentByMember();
  await verifyAfterWrongCode(signer);
  await signer.post('sign', { ...uploaded, signature: { ...uploaded.signature, kind: 'drawn' } });
  const document = await findDocument(app.db, id);
  if (document === null) throw new Error(`there is no document ${id}`);
  const methodOf = async () =>
    (await loadSealInput(app.world, app.db, document, 'http://localhost/verify')).recipients[0]?.method;
  expect(await methodOf()).toBe('drawn');
  await app.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'alter table audit_entries disable trigger user', values: [] });
    await tx.query({
      name: '',
      text: `update audit_entries set detail = (detail::jsonb - 'signature_sha256')::text
             where document_id = $1 and action = 'signed'`,
      values: [id],
    });
    await tx.query({ name: '', text: 'alter table audit_entries enable trigger user', values: [] });
  });
  expect(await methodOf()).toBe('unknown');
});

test.each([
  ['en', 'without time-stamps'],
  ['es', 'without time-stamps'],
  ['en', 'with time-stamps'],
  ['es', 'with time-stamps'],
] as const)('for two signers of a page it is one page, with every fact: %s, %s', async (language, stamps) => {
  const isStamped = stamps === 'with time-stamps';
  const clock = new TestClock();
  clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000) });
  const app = isStamped ? await startTestService({ clock, env: { TSA_URL: await startTsa() } }) : ownApp();
  if (isStamped) onTestFinished(() => app.stop());
  const company = isStamped ? await createCompany(app) : ownCompany();
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const asked = { asks_consent: true, copies_contact: '+1 555 010 0100', copies_cost: '$5 a page' };
  const others = { prints_document_id: false, allows_delegation: false, allows_comments: true, masks_contacts: false };
  expect((await admin.post('/signing', { ...asked, ...others, shows_devices: true })).status).toBe(200);
  const theo = { name: 'Theodora Brandt-Lindqvist', email: 'theo@example.com' };
  const id = await createDraft(app, company.key, { recipients: [withCode, theo], primary_language: language });
  await attachPdf(app, company, id);
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'signature' },
  ]);
  expect((await admin.post(`/documents/${id}/send`)).status).toBe(200);
  const fields = await fieldsOf(app, company, id);
  for (const [index, { name }] of [withCode, theo].entries()) {
    const signer = await openLinkOf(app, company, id, name);
    if (index === 0) await verifyAfterWrongCode(signer);
    const own = { [String(fields[index]?.id)]: 'true' };
    const answer = await signer.post('sign', { ...uploaded, full_name: name, consent: true, fields: own });
    expect(answer.status, answer.text).toBe(200);
  }
  const pdf = await sealedPdf(app, id);
  expect(inspect(pdf, 'pdfinfo')).toMatch(/Pages: +2\n/);
  const text = inspect(pdf, 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ');
  const trail = (await auditOf(app, company, id)).filter(({ action }) => action !== 'sealed' && action !== 'copied');
  for (const { hash } of trail) expect(text).toContain(hash.toString('hex'));
  const terms = { copies_contact: asked.copies_contact, copies_cost: asked.copies_cost };
  for (const said of [...currentDisclosure(language, terms).points, pictureSha256, 'Test/1.0', '127.0.0.1']) {
    expect(text).toContain(said);
  }
  await admin.post('/signing', {
    asks_consent: false,
    copies_contact: '',
    copies_cost: '',
    ...others,
    shows_devices: false,
  });
});

test('it has the logo that the company has when the document is sealed', async () => {
  const { id, signer } = await sentByMember();
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.upload('/branding/logo?version=0', samplePng({ width: 310, height: 31 }))).status).toBe(200);
  await verifyAfterWrongCode(signer);
  expect((await signer.post('sign', signature)).status).toBe(200);
  const pdf = await sealedPdf(app, id);
  expect(inspect(pdf, 'pdfimages', ['-list'])).toMatch(/\b310 +31 +rgb\b/);
  expect(inspect(pdf, 'pdfsig')).toContain('Signature Validation: Signature is Valid.');
});
