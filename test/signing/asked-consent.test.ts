import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import {
  consentStatement,
  currentDisclosure,
  disclosureSha256,
  disclosureVersion,
} from '../../src/signing/disclosure.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { actionsOf, auditOf, openLinkOf, type Signer, signature } from './signer.ts';

/** A company that asks its recipients to tick a box before they sign. */
let app: TestService;
let company: Company;
let admin: Visitor;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  member = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const unset = {
  asks_consent: false,
  copies_contact: '',
  copies_cost: '',
  prints_document_id: false,
  allows_delegation: false,
  allows_comments: true,
  masks_contacts: false,
  shows_devices: false,
};
const asked = { ...unset, asks_consent: true, copies_contact: 'records@acme.example', copies_cost: '$5 <b>a page</b>' };
const terms = { copies_contact: asked.copies_contact, copies_cost: asked.copies_cost };
const set = async (settings: object, visitor = admin) => visitor.post('/signing', settings);
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const theo = { name: 'Theo Brandt', email: 'theo@example.com', role: 'approver' };

async function sent(changes: object = {}): Promise<string> {
  return createSent(app, company.key, {
    recipients: [ada, theo],
    content: { sign_order_mode: 'sequential' },
    ...changes,
  });
}

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

/** Sends the form of the page that needs no script. */
async function sendForm(signer: Signer, values: Record<string, string>) {
  const response = await fetchLocally(`${signer.link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      full_name: 'Ada Lovelace',
      disclosure: disclosureVersion,
      action: 'sign',
      ...values,
    }).toString(),
  });
  return { status: response.status, text: await response.text() };
}

async function consentsOf(id: string) {
  return (await auditOf(app, company, id)).filter(({ action }) => action === 'consented').map(({ detail }) => detail);
}

test('without the setting no page has a box, and signing is the consent, whatever the request says', async () => {
  await set(unset);
  const id = await sent({ recipients: [ada] });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await signer.page()).text).not.toContain('id="consent"');
  expect((await signer.page('/form')).text).not.toContain('id="consent"');
  expect((await signer.post('sign', { ...signature, consent: true })).status).toBe(200);
  expect(await consentsOf(id)).toMatchObject([{ how: 'signing' }]);
});

test('the server refuses a signature and an approval without the tick, and records what was agreed to', async () => {
  expect((await set(asked)).body).toEqual({ ...asked });
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  const page = (await signer.page()).text;
  expect(page).toContain(consentStatement.en);
  expect(page).not.toMatch(/id="consent"[^>]* checked/);
  expect(page).toContain('Contact for printed copies: records@acme.example');
  expect(page).toContain('Cost of a printed copy: $5 &lt;b&gt;a page&lt;/b&gt;');
  for (const consent of [undefined, false, null, 'true', 1, {}, []]) {
    expect(codeOf(await signer.post('sign', { ...signature, consent }))).toEqual([400, 'consent_required']);
  }
  // No page with the box has shown this text.
  const earlier = await signer.post('sign', { ...signature, consent: true, disclosure: '2026-11' });
  expect(codeOf(earlier)).toEqual([400, 'malformed_request']);
  expect(await actionsOf(app, company, id)).not.toContain('consented');
  const twice = await Promise.all([1, 2].map(() => signer.post('sign', { ...signature, consent: true })));
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  const approver = await openLinkOf(app, company, id, 'Theo Brandt');
  const approval = { ...signature, full_name: 'Theo Brandt' };
  expect(codeOf(await approver.post('sign', approval))).toEqual([400, 'consent_required']);
  expect((await approver.post('sign', { ...approval, consent: true })).status).toBe(200);
  const agreed = {
    disclosure: disclosureVersion,
    language: 'en',
    how: 'ticked',
    disclosure_sha256: disclosureSha256(currentDisclosure('en', terms), 'en', 'ticked'),
  };
  expect(await consentsOf(id)).toMatchObject([
    { name: 'Ada Lovelace', ...agreed },
    { name: 'Theo Brandt', ...agreed },
  ]);
  const text = pdfText(await sealedPdf(app, id)).replace(/\s+/g, ' ');
  for (const said of [
    currentDisclosure('en', terms).heading,
    ...currentDisclosure('en', terms).points,
    consentStatement.en,
    agreed.disclosure_sha256,
    'by ticking the box',
  ]) {
    expect(text).toContain(said);
  }
});

test('the page without JavaScript refuses too, keeps what was entered, and takes the tick', async () => {
  await set(asked);
  const id = await sent({ recipients: [ada], primary_language: 'es' });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await signer.page('/form')).text).toContain(consentStatement.es);
  const refused = await sendForm(signer, { full_name: 'Ada King' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('href="#consent"');
  expect(refused.text).toContain('value="Ada King"');
  expect(refused.text).not.toMatch(/name="consent"[^>]* checked/);
  expect((await sendForm(signer, { full_name: '', consent: 'true' })).text).toMatch(/name="consent"[^>]* checked/);
  expect((await sendForm(signer, { consent: 'yes' })).status).toBe(400);
  expect((await sendForm(signer, { consent: 'true' })).status).toBe(303);
  expect(await consentsOf(id)).toMatchObject([{ how: 'ticked', language: 'es' }]);
});

test('a recipient who signs in person ticks it on the device that was handed over', async () => {
  await set(asked);
  const id = await sent({ recipients: [{ name: 'Ada Lovelace', channel: 'in_person' }] });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await signer.page()).text).not.toContain('id="consent"');
  await signer.post('viewed');
  expect((await signer.page()).text).toContain('id="consent"');
  expect(codeOf(await signer.post('sign', signature))).toEqual([400, 'consent_required']);
  expect((await signer.post('sign', { ...signature, consent: true })).status).toBe(200);
});

test('a document keeps what the company had set when it was sent; a preview has what is set now', async () => {
  await set(asked);
  const before = await sent({ recipients: [ada] });
  await set({ ...unset, copies_cost: 'Free' });
  const after = await sent({ recipients: [ada] });
  const [first, second] = await Promise.all([before, after].map((id) => openLinkOf(app, company, id, 'Ada Lovelace')));
  expect((await first?.page())?.text).toContain('records@acme.example');
  expect((await second?.page())?.text).toContain('Cost of a printed copy: Free');
  expect(codeOf(await (first as Signer).post('sign', signature))).toEqual([400, 'consent_required']);
  expect((await (second as Signer).post('sign', signature)).status).toBe(200);

  const draft = await createDraft(app, company.key, { recipients: [ada] });
  const recipient = (await admin.get(`/documents/${draft}`)).body.recipients[0].id;
  const preview = async () => (await admin.get(`/documents/${draft}/recipients/${recipient}/preview`)).text;
  expect(await preview()).not.toContain('id="consent"');
  await set(asked);
  expect(await preview()).toContain('id="consent"');
});

test('a text that was changed behind the service after signing is never sealed', async () => {
  await set(asked);
  const id = await sent({ recipients: [ada] });
  await app.db.query({ name: '', text: 'update documents set copies_cost = $2 where id = $1', values: [id, '$6'] });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  await signer.post('sign', { ...signature, consent: true });
  await app.db.query({ name: '', text: 'update documents set copies_cost = $2 where id = $1', values: [id, '$7'] });
  const { findDocument } = await import('../../src/documents/queries.ts');
  const { loadSealInput } = await import('../../src/signing/load-seal-input.ts');
  const document = await findDocument(app.db, id);
  if (document === null) throw new Error(`there is no document ${id}`);
  const load = loadSealInput(app.world, app.db, document, 'http://localhost/verify');
  await expect(load).rejects.toThrow('is not what was accepted');
});

test('owners and admins set it, of their company alone, and the audit names who did, without the texts', async () => {
  const other = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  await set(asked);
  expect((await other.get('/signing')).body).toEqual({ ...unset, copies_contact: null, copies_cost: null });
  expect(refusal(await set(asked, member))).toEqual([403, 'forbidden']);
  expect(refusal(await member.get('/signing'))).toEqual([403, 'forbidden']);
  expect((await admin.get('/signing')).body).toEqual(asked);
  const [entry] = await app.db.query<{ detail: unknown; person_id: string | null }>({
    name: '',
    text: `select detail, person_id from account_audit_entries
           where account_id = $1 and action = 'signing_settings_set' order by id desc limit 1`,
    values: [company.id],
  });
  expect(entry).toEqual({
    person_id: expect.any(String),
    detail: {
      asks_consent: true,
      has_copies_contact: true,
      has_copies_cost: true,
      prints_document_id: false,
      allows_delegation: false,
      allows_comments: true,
      masks_contacts: false,
      shows_devices: false,
    },
  });
});

test.each([
  ['too long', 'x'.repeat(201)],
  ['several lines', 'one\ntwo'],
  ['a NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['text turned around', 'a\u202eb'],
  ['a zero-width space', 'a\u200bb'],
  ['a tag character', 'a\u{e0041}b'],
  ['nothing that can be seen', '\u3164\u2800'],
  ['nothing but joiners', '\u200d'],
])('a text with %s is refused', async (_what, text) => {
  await set(unset);
  for (const param of ['copies_contact', 'copies_cost']) {
    const answer = await set({ ...unset, [param]: text });
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: 'invalid_input', param }]);
  }
  expect((await admin.get('/signing')).body).toMatchObject({ copies_contact: null, copies_cost: null });
});

test('a text of 200 characters, in any script, is taken and trimmed; other types are refused', async () => {
  const longest = '🏠'.repeat(200);
  expect((await set({ ...unset, copies_contact: longest })).body.copies_contact).toBe(longest);
  expect((await set({ ...unset, copies_contact: '  اتصل بنا: مكتب  ' })).body.copies_contact).toBe('اتصل بنا: مكتب');
  for (const body of [{}, { ...unset, asks_consent: 'true' }, { ...unset, copies_cost: null }, [], null]) {
    expect(refusal(await set(body as object))[0]).toBe(400);
  }
  await set(unset);
});
