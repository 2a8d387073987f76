import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { findDocument } from '../../src/documents/queries.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { ensureSecretKey } from '../../src/platform/secret-key.ts';
import { drawnSignature, makePng } from '../../src/sealing/testing/sample-png.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { resealSecrets } from '../../src/secrets/reseal-secrets.ts';
import { loadSealInput } from '../../src/signing/load-seal-input.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { auditOf, openLinkOf, type Signer, signature } from './signer.ts';

/** Signatures that members keep, and who may sign with them. */
let app: TestService;
let company: Company;
let people = 0;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const name = 'Ada Lovelace';
const drawing = drawnSignature();
const png = drawing.toString('base64');
const blank = makePng({ width: 60, height: 20, rows: Buffer.alloc((60 * 4 + 1) * 20) });

interface Person {
  member: Member;
  visitor: Visitor;
}

async function person(): Promise<Person> {
  const member = await addMember(app, company.id, 'member', `Saver-${++people}@example.com`);
  return { member, visitor: await signedIn(app, member) };
}

/** Opens a link to a document for `email` in the browser of someone who is signed in. */
async function openAs({ visitor }: Person, email: string, changes: object = {}) {
  const id = await createSent(app, company.key, { recipients: [{ name, email, ...changes }] });
  const signer = await openLinkOf(app, company, id, name);
  return { id, signer: withSession(signer, visitor) };
}

function withSession(signer: Signer, visitor: Visitor): Signer {
  for (const [cookie, value] of visitor.cookies) signer.cookies.set(cookie, value);
  return signer;
}

const save = (visitor: Visitor, body: object) => visitor.post('/own-signature', body);
const saved = async (visitor: Visitor) => (await visitor.get('/own-signature')).body;
const rowsOf = ({ personId }: Pick<Member, 'personId'>) =>
  app.db.query<{ id: string; content: Buffer }>({
    name: 'rows_of_test',
    text: 'select id, content from saved_signatures where person_id = $1',
    values: [personId],
  });
const ownActions = ({ personId }: Pick<Member, 'personId'>) =>
  app.db
    .query<{ action: string; detail: object }>({
      name: 'actions_of_test',
      text: `select action, detail from account_audit_entries where person_id = $1 and action like '%signature%' order by id`,
      values: [personId],
    })
    .then((rows) => rows.map(({ action, detail }) => [action, detail]));

test('a member saves, sees, replaces and removes a signature, and everything unfit is refused', async () => {
  const { member, visitor } = await person();
  expect(await saved(visitor)).toMatchObject({ signature: null, initials: null });
  expect((await save(visitor, { mark: 'signature', kind: 'drawn', png })).status).toBe(200);
  expect((await save(visitor, { mark: 'signature', kind: 'drawn', png })).status).toBe(200); // twice
  expect((await save(visitor, { mark: 'initials', kind: 'typed', text: ' A\u030aL ' })).status).toBe(200);
  expect(await saved(visitor)).toMatchObject({
    signature: { kind: 'drawn', text: null },
    initials: { kind: 'typed', text: 'A\u030aL' },
  });
  const picture = await visitor.get('/own-signature/picture?mark=signature');
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('cache-control')).toBe('no-store');
  expect(picture.headers.get('vary')).toContain('cookie');
  expect(refusal(await visitor.get('/own-signature/picture?mark=initials'))).toEqual([404, 'not_found']);
  expect(refusal(await visitor.get('/own-signature/picture?mark=stamp'))).toEqual([400, 'invalid_input']);

  // Encrypted, each for its own row.
  const rows = await rowsOf(member);
  expect(rows).toHaveLength(2);
  for (const { content } of rows) expect(content.includes(drawing.subarray(0, 8))).toBe(false);

  for (const unfit of [
    { mark: 'signature', kind: 'typed' },
    { mark: 'signature', kind: 'typed', text: '' },
    { mark: 'signature', kind: 'typed', text: ' \t' },
    { mark: 'signature', kind: 'typed', text: 'a\u0000b' },
    { mark: 'signature', kind: 'typed', text: '\ud800' },
    { mark: 'signature', kind: 'typed', text: 'x'.repeat(121) },
    { mark: 'initials', kind: 'typed', text: 'x'.repeat(11) },
    { mark: 'signature', kind: 'drawn' },
    { mark: 'signature', kind: 'drawn', png: '' },
    { mark: 'signature', kind: 'uploaded', png: Buffer.from('<svg onload="x">').toString('base64') },
    { mark: 'signature', kind: 'uploaded', png: drawing.subarray(0, -20).toString('base64') },
    { mark: 'initials', kind: 'uploaded', png: makePng({ width: 2001, height: 10 }).toString('base64') },
    { mark: 'signature', kind: 'drawn', png: blank.toString('base64') },
    { mark: 'stamp', kind: 'drawn', png },
    { mark: 'signature', kind: 'saved', png },
  ]) {
    expect(refusal(await save(visitor, unfit)), JSON.stringify(unfit).slice(0, 80)).toEqual([400, 'invalid_input']);
  }
  expect((await save(visitor, { mark: 'signature', kind: 'typed', text: 'x'.repeat(120) })).status).toBe(200);
  const several = ['A', 'B', 'C', 'D'].map((text) => save(visitor, { mark: 'initials', kind: 'typed', text }));
  expect((await Promise.all(several)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await rowsOf(member)).toHaveLength(2);

  expect((await visitor.post('/own-signature/remove', { mark: 'signature' })).status).toBe(200);
  expect(refusal(await visitor.post('/own-signature/remove', { mark: 'signature' }))).toEqual([404, 'not_found']);
  expect((await saved(visitor)).signature).toBeNull();
  const actions = await ownActions(member);
  expect(actions.slice(0, 3)).toEqual([
    ['signature_saved', { mark: 'signature', method: 'drawn' }],
    ['signature_saved', { mark: 'initials', method: 'typed' }],
    ['signature_saved', { mark: 'signature', method: 'typed' }],
  ]);
  expect(actions.at(-1)).toEqual(['saved_signature_removed', { mark: 'signature' }]);
});

test('what was saved signs with one request, and the trail and the certificate say so', async () => {
  const own = await person();
  await save(own.visitor, { mark: 'signature', kind: 'drawn', png });
  await save(own.visitor, { mark: 'initials', kind: 'typed', text: 'AL' });
  const id = await createDraft(app, company.key, {
    recipients: [{ name, email: own.member.email.toLowerCase() }],
  });
  await attachPdf(app, company, id, { pages: [{}] });
  const [mark, initials] = await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'initials' },
  ]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const signer = withSession(await openLinkOf(app, company, id, name), own.visitor);

  const page = await signer.page();
  expect(page.text).toContain('saved-offer');
  expect(page.text).not.toContain(png);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const offered = await signer.page('/saved', { 'sec-fetch-site': 'same-origin' });
  expect(offered.headers.get('cache-control')).toBe('no-store');
  expect(offered.headers.get('vary')).toContain('cookie');
  expect(offered.body).toEqual({
    signature: { id: expect.any(String), kind: 'drawn', png },
    initials: { id: expect.any(String), kind: 'typed', text: 'AL' },
  });
  const using = (of: string) => ({ kind: 'saved', id: offered.body[of].id });
  const body = {
    full_name: name,
    signature: using('signature'),
    initials: using('initials'),
    fields: { [mark?.id ?? '']: 'true', [initials?.id ?? '']: 'true' },
  };
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
    expect(refusal(await signer.post('sign', body, headers as never))).toEqual([400, 'malformed_request']);
    expect((await signer.page('/saved', headers as never)).status).toBe(400);
  }
  const twice = await Promise.all([signer.post('sign', body), signer.post('sign', body)]);
  expect(twice.map((answer) => answer.body)).toEqual([{ state: 'completed' }, { state: 'completed' }]);
  expect((await signer.page('/saved')).status).toBe(404); // nothing to sign any more

  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(entry?.detail).toMatchObject({ method: 'drawn', saved: 'signature_and_initials', signed_as: name });
  const document = await findDocument(app.db, id);
  if (document === null) throw new Error('the document is gone');
  const { recipients } = await loadSealInput(app.world, app.db, document, '');
  expect(recipients[0]).toMatchObject({ method: 'drawn', isSaved: true, signature: { kind: 'drawn', png } });
  const certificate = pdfText(await sealedPdf(app, id)).replace(/\s+/g, ' ');
  expect(certificate).toContain('Drawn by hand, saved earlier');
  expect(certificate).toContain('saved earlier: signature and initials');
});

test('nobody else learns of it or signs with it', async () => {
  const own = await person();
  await save(own.visitor, { mark: 'signature', kind: 'drawn', png });
  const { id } = (await saved(own.visitor)).signature;
  const other = await person();
  const stranger = await signedIn(app, { personId: await personWithoutCompany() });
  const { email } = own.member;

  const unsigned = await openLinkOf(
    app,
    company,
    await createSent(app, company.key, { recipients: [{ name, email }] }),
    name,
  );
  const cases: Record<string, Signer> = {
    'nobody is signed in': unsigned,
    'someone else holds the link': (await openAs(other, email)).signer,
    'the link is for someone else': (await openAs(own, 'someone.else@example.com')).signer,
    'the device was handed over': (await openAs(own, email, { channel: 'in_person' })).signer,
    'an approver': await approverOf(own),
    'a member of no company': withSession(unsigned.elsewhere(), stranger),
  };
  const plain = (text: string) => text.replaceAll(/\/sign\/[\w-]+/g, '');
  for (const [why, signer] of Object.entries(cases)) {
    expect(plain((await signer.page()).text), why).not.toMatch(/saved-offer|saved-marks/);
    const answer = await signer.page('/saved');
    expect([answer.status, answer.text.includes(png)], why).toEqual([404, false]);
  }
  for (const why of ['nobody is signed in', 'someone else holds the link', 'the link is for someone else']) {
    const answer = await cases[why]?.post('sign', { full_name: name, signature: { kind: 'saved', id } });
    expect(answer && refusal(answer), why).toEqual([409, 'saved_unavailable']);
  }
  const inFrame = await (await openAs(own, email)).signer.page('', { 'sec-fetch-dest': 'iframe' });
  expect(inFrame.text).not.toContain('saved-offer');

  // A session of single sign-on belongs to the company, and the saved signature to the person.
  const withSso = await person();
  await save(withSso.visitor, { mark: 'signature', kind: 'drawn', png });
  await app.db.query({
    name: 'make_sso_session',
    text: `update sessions set method = 'sso', only_account_id = $2 where person_id = $1`,
    values: [withSso.member.personId, company.id],
  });
  const { signer } = await openAs(withSso, withSso.member.email);
  expect((await signer.page()).text).not.toContain('saved-offer');
  expect((await signer.page('/saved')).status).toBe(404);
  expect(refusal(await withSso.visitor.get('/own-signature'))).toEqual([403, 'own_sign_in_needed']);
});

async function approverOf({ member, visitor }: Person): Promise<Signer> {
  const recipients = [
    { name, email: member.email, role: 'approver' },
    { name: 'Grace Hopper', email: 'grace@example.com' },
  ];
  const id = await createSent(app, company.key, { recipients, content: { sign_order_mode: 'sequential' } });
  return withSession(await openLinkOf(app, company, id, name), visitor);
}

async function personWithoutCompany(): Promise<string> {
  const guest = await addMember(app, (await createCompany(app)).id, 'member', `guest-${++people}@example.com`);
  await app.db.query({ name: 'leave', text: 'delete from members where id = $1', values: [guest.id] });
  return guest.personId;
}

test('what was replaced or removed meanwhile signs nothing, and making a new one works', async () => {
  const own = await person();
  await save(own.visitor, { mark: 'signature', kind: 'typed', text: 'Ada L.' });
  const { id: former } = (await saved(own.visitor)).signature;
  await save(own.visitor, { mark: 'signature', kind: 'typed', text: 'A. Lovelace' });
  const { id, signer } = await openAs(own, own.member.email);
  for (const given of [former, '', null, 7, { a: 1 }, 'x'.repeat(100_000)]) {
    const answer = await signer.post('sign', { full_name: name, signature: { kind: 'saved', id: given } });
    expect(refusal(answer)).toEqual([409, 'saved_unavailable']);
  }
  const { id: current } = (await saved(own.visitor)).signature;
  // The saved name counts, whatever the request says.
  const signed = await signer.post('sign', { full_name: 'Somebody Else', signature: { kind: 'saved', id: current } });
  expect(signed.body).toEqual({ state: 'completed' });
  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(entry?.detail).toMatchObject({ method: 'typed', saved: 'signature', signed_as: 'A. Lovelace' });
});

test('signing saves for next time only what was ticked, and only for the signed-in recipient', async () => {
  const own = await person();
  const first = await openAs(own, own.member.email);
  await first.signer.post('sign', { ...signature, signature: { kind: 'uploaded', png } });
  expect((await saved(own.visitor)).signature).toBeNull();
  const signed = (await auditOf(app, company, first.id)).find(({ action }) => action === 'signed');
  expect(signed?.detail).not.toHaveProperty('saved');

  const second = await openAs(own, own.member.email);
  const body = {
    ...signature,
    signature: { kind: 'uploaded', png, save: true },
    initials: { kind: 'typed', text: 'AL', save: true },
  };
  const [one, two] = await Promise.all([second.signer.post('sign', body), second.signer.post('sign', body)]);
  expect([one.body, two.body]).toEqual([{ state: 'completed' }, { state: 'completed' }]);
  expect(await saved(own.visitor)).toMatchObject({ signature: { kind: 'uploaded' }, initials: { text: 'AL' } });
  expect(await ownActions(own.member)).toHaveLength(2);

  const other = await person();
  const { signer } = await openAs(other, 'not.other@example.com');
  expect((await signer.post('sign', body)).status).toBe(200);
  expect(await rowsOf(other.member)).toEqual([]);
});

test('it is erased with the person, goes with the last company, and moves to another SECRET_KEY', async () => {
  const own = await person();
  await save(own.visitor, { mark: 'signature', kind: 'drawn', png });
  const current = await ensureSecretKey(null, app.dataDir, app.world.random);
  const box = createSecretBox(Buffer.alloc(32, 7), app.world.random, current);
  const { unreadable } = await resealSecrets(app.db, box, { dryRun: true });
  expect(unreadable).toBe(0);

  await app.db.transaction((tx) => erasePerson(app.world, tx, own.member.personId));
  expect(await rowsOf(own.member)).toEqual([]);

  const leaving = await person();
  const second = await createCompany(app);
  const elsewhere = await addMember(app, second.id, 'member', leaving.member.email);
  await save(leaving.visitor, { mark: 'signature', kind: 'drawn', png });
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.call('DELETE', `/members/${leaving.member.id}`)).status).toBe(200);
  expect(await rowsOf(leaving.member)).toHaveLength(1);
  const otherOwner = await signedIn(app, await addMember(app, second.id, 'owner'));
  expect((await otherOwner.call('DELETE', `/members/${elsewhere.id}`)).status).toBe(200);
  expect(await rowsOf(leaving.member)).toEqual([]);

  const [closing, staying] = [await createCompany(app), await person()];
  await addMember(app, closing.id, 'member', staying.member.email);
  const last = await addMember(app, closing.id, 'member');
  for (const visitor of [staying.visitor, await signedIn(app, last)])
    await save(visitor, { mark: 'signature', kind: 'drawn', png });
  await app.db.transaction((tx) => removeAccount(app.world, tx, closing.id));
  expect([await rowsOf(last), await rowsOf(staying.member)]).toEqual([[], [expect.anything()]]);
});
