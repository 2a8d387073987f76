import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { makeTemplate } from '../../src/documents/document-actions.ts';
import { listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { attachPdf, fieldsOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sign } from './sample-company.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Internal review, mirrors and restriction in the console, for members, admins and owners. */
let app: TestService;
let company: Company;
let member: Visitor;
let admin: Visitor;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member', 'ruth@example.com'));
  admin = await signedIn(app, await addMember(app, company.id, 'admin', 'grace@example.com'));
  owner = await signedIn(app, await addMember(app, company.id, 'owner', 'mary@example.com'));
});
afterAll(() => app.stop());

const mailTo = (to: string, about: string) =>
  listMailbox(`${app.dataDir}/mailbox`, { to }).then((found) => found.filter(({ text }) => text.includes(about)));

async function makeTemplateOf(id: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    if (document !== null) await makeTemplate(app.world, tx, document, 'operator');
  });
}

async function inReview(title = 'Roof repair'): Promise<string> {
  const id = await createDraft(app, company.key, { title });
  expect((await member.post(`/documents/${id}/review`)).status).toBe(200);
  return id;
}

describe('a document in review', () => {
  test('is submitted by a member, who can neither change, send nor void it until an owner or admin has decided', async () => {
    const id = await inReview();
    await attachPdf(app, company, id, { pages: [{}] });
    const shown = (await member.get(`/documents/${id}`)).body;
    expect(shown).toMatchObject({
      status: 'in_review',
      actions: ['preview', 'copy', 'mirror', 'move'],
      review: { status: 'waiting', by: { kind: 'person', name: 'ruth@example.com' }, note: null },
    });
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([403, 'forbidden']);
    expect(refusal(await member.post(`/documents/${id}/void`, { reason: 'Mine' }))).toEqual([403, 'forbidden']);
    expect(refusal(await member.post(`/documents/${id}/fields`, { version: 2, fields: [] }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(refusal(await member.upload(`/documents/${id}/file?name=a.pdf`, new Uint8Array([1])))).toEqual([
      403,
      'forbidden',
    ]);
    expect(refusal(await member.post(`/documents/${id}/return`, { note: 'Mine' }))).toEqual([403, 'forbidden']);
    expect(refusal(await member.post(`/documents/${id}/review`))).toEqual([409, 'refused']);
    expect((await admin.get(`/documents/${id}`)).body.actions).toContain('void');
    expect((await admin.post(`/documents/${id}/fields`, { version: 3, fields: [] })).status).toBe(200);
    const sent = (await admin.post(`/documents/${id}/send`)).body;
    expect([sent.status, sent.review]).toEqual(['sent', null]);
  });

  test('is returned with a note: members read who, when and why, the recipients get it in no trail', async () => {
    const id = await inReview();
    const note = 'The price is 10 % below ours.';
    for (const wrong of ['', '   ', 'x'.repeat(1001), 'a\u0000b', 'half of a pair: \ud83d']) {
      const { status } = await owner.post(`/documents/${id}/return`, { note: wrong });
      expect([400, 409], wrong).toContain(status);
    }
    const { body } = await owner.post(`/documents/${id}/return`, { note });
    const by = { kind: 'person', name: 'mary@example.com' };
    expect(body).toMatchObject({ status: 'draft', review: { status: 'returned', by, note } });
    expect((await member.get(`/documents/${id}/timeline`)).body.data[0]).toMatchObject({
      action: 'returned_to_draft',
      actor: by,
      note,
    });
    const trail = await readAudit(app.db, company.id, id);
    expect(firstBreak(id, trail)).toBeNull();
    expect(JSON.stringify(trail.map(({ detail }) => detail))).not.toContain('price');
    expect(refusal(await owner.post(`/documents/${id}/return`, { note }))).toEqual([409, 'refused']);
    const [mail] = await eventually(
      () => mailTo('ruth@example.com', id),
      (found) => found.length === 1,
    );
    expect([mail?.subject, mail?.text]).toEqual([
      'Returned to draft: Roof repair',
      expect.stringContaining('mary@example.com has returned'),
    ]);
    expect((await member.post(`/documents/${id}/review`)).body.review).toMatchObject({ status: 'waiting', note: null });
  });

  test('is either sent or returned, when two decide at once', async () => {
    const id = await inReview();
    const answers = await Promise.all([
      admin.post(`/documents/${id}/send`),
      owner.post(`/documents/${id}/return`, { note: 'Wait' }),
    ]);
    const { status } = (await owner.get(`/documents/${id}`)).body;
    // After it is returned, it is a draft, which an admin may send.
    expect(answers.map((answer) => answer.status)).toEqual(status === 'sent' ? [200, expect.any(Number)] : [409, 200]);
  });

  test('is told to owners and admins by e-mail, but not to whoever submitted it', async () => {
    const id = await createDraft(app, company.key, { title: 'Estimate for the \u202Eskylights' });
    await admin.post(`/documents/${id}/review`);
    const [mail] = await eventually(
      () => mailTo('mary@example.com', id),
      (found) => found.length === 1,
    );
    expect(mail?.subject).toBe('For review: Estimate for the skylights');
    expect(mail?.text).toContain('grace@example.com has submitted');
    expect(mail?.links).toEqual([`${new URL(app.baseUrl).origin}/documents/${id}`]);
    expect(await mailTo('grace@example.com', id)).toEqual([]);
    expect(await mailTo('ruth@example.com', id)).toEqual([]);
  });

  test('is named in no e-mail when it is a sensitive paper', async () => {
    const id = await createDraft(app, company.key, { title: 'Salary of Ada' });
    await owner.post('/restricted-papers', { document_id: id, kind: 'pay' });
    await owner.post(`/documents/${id}/review`);
    const [mail] = await eventually(
      () => mailTo('grace@example.com', id),
      (found) => found.length === 1,
    );
    expect(JSON.stringify(mail)).not.toContain('Salary');
  });

  test('is counted for those who review it, as the list shows it', async () => {
    const { waiting } = (await admin.get('/reviews')).body;
    const id = await inReview('Counted');
    const hidden = await inReview('Hidden');
    await owner.post('/restricted-papers', { document_id: hidden, kind: 'other' });
    expect((await admin.get('/reviews')).body).toEqual({ waiting: waiting + 1 });
    const list = (await member.get('/documents?status=in_review&limit=100')).body.data;
    expect(list).toHaveLength(waiting + 1);
    expect(list[0]).toMatchObject({ id, title: 'Counted' });
  });

  test('is never a template, nor what was sent', async () => {
    const template = await createDraft(app, company.key);
    await makeTemplateOf(template);
    for (const id of [template, await createSent(app, company.key)]) {
      expect(refusal(await owner.post(`/documents/${id}/review`))).toEqual([409, 'refused']);
    }
  });
});

describe('a mirror', () => {
  const mirrorOf = async (id: string) => (await member.post(`/documents/${id}/mirror`)).body.id as string;

  test('is a copy with file, fields and recipients of its own, which waits until the other is completed', async () => {
    const id = await createDraft(app, company.key, {
      title: 'Pay application 3',
      type: 'pay_app',
      recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
      content: { message: 'For March', expires_in_days: 9 },
    });
    await attachPdf(app, company, id, { pages: [{}, {}] });
    await placeOn(app, company, id, [{ recipient: 1, type: 'text', label: 'Lot' }]);
    const mirror = await mirrorOf(id);

    const shown = (await member.get(`/documents/${mirror}`)).body;
    expect(shown).toMatchObject({
      title: 'Pay application 3',
      type: 'pay_app',
      status: 'draft',
      message: 'For March',
      expires_in_days: 9,
      file: { name: 'Lease.pdf' },
      recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com', status: 'pending' }],
      mirrors: { id, title: 'Pay application 3', status: 'draft' },
    });
    expect((await member.get(`/documents/${id}`)).body.mirrored_by).toEqual([
      { id: mirror, title: 'Pay application 3', status: 'draft' },
    ]);
    const [recipient] = await listRecipients(app.db, company.id, mirror);
    const [field] = (await member.get(`/documents/${mirror}/fields`)).body.data;
    expect(field).toMatchObject({ recipient: recipient?.id, type: 'text', label: 'Lot', page: 1 });
    expect(firstBreak(mirror, await readAudit(app.db, company.id, mirror))).toBeNull();
    expect(refusal(await member.post(`/documents/${mirror}/send`))).toEqual([409, 'pay_app_unsigned']);

    await member.post(`/documents/${id}/send`);
    const [original] = await fieldsOf(app, company, id);
    expect(refusal(await member.post(`/documents/${mirror}/send`))).toEqual([409, 'pay_app_unsigned']);
    await sign(app, company, id, 'Ada Lovelace', { [original?.id ?? '']: '7' });
    expect((await member.get(`/documents/${mirror}`)).body.mirrors.status).toBe('completed');
    expect((await member.post(`/documents/${mirror}/send`)).body.status).toBe('sent');
    expect((await fieldsOf(app, company, mirror))[0]?.value).toBeNull();
  });

  test('keeps its file when the other gets a new one', async () => {
    const id = await createDraft(app, company.key);
    const sha256 = await attachPdf(app, company, id, { pages: [{ text: 'Shared' }] });
    const mirror = await mirrorOf(id);
    await attachPdf(app, company, id, { pages: [{ text: 'Replaced' }] });
    const rows = await app.db.query<{ n: number }>({
      name: '',
      text: `select reference_count as n from stored_files where sha256 = decode($1, 'hex')`,
      values: [sha256],
    });
    expect(rows[0]?.n).toBe(1);
    expect((await member.get(`/documents/${mirror}/pages/1/text`)).body.text).toContain('Shared');
  });

  test('of a sensitive paper is one, and members learn no more of either than that something waits', async () => {
    const id = await createDraft(app, company.key, { title: 'Salary of Ada' });
    const plain = await mirrorOf(id);
    await owner.post('/restricted-papers', { document_id: id, kind: 'pay' });
    const { id: copy } = (await owner.post(`/documents/${id}/mirror`)).body;
    expect((await owner.get(`/documents/${copy}`)).body.restricted_kind).toBe('pay');
    expect((await owner.get(`/documents/${id}`)).body.mirrored_by).toHaveLength(2);
    expect((await member.get(`/documents/${plain}`)).body.mirrors).toEqual({ id: null, title: null, status: 'draft' });
    await owner.post(`/documents/${id}/lift-restriction`);
    const ids = (await member.get(`/documents/${id}`)).body.mirrored_by.map((linked: { id: string }) => linked.id);
    expect(ids).toEqual([plain]);
    expect(refusal(await member.get(`/documents/${copy}`))).toEqual([404, 'not_found']);
  });

  test('is not made of what is never completed, or cannot be copied', async () => {
    const template = await createDraft(app, company.key);
    await makeTemplateOf(template);
    const voided = await createDraft(app, company.key);
    await member.post(`/documents/${voided}/void`, { reason: 'Over' });
    const migrated = await createSent(app, company.key);
    await app.db.query({
      name: '',
      text: "update documents set is_migrated = true, status = 'completed', completed_at = $2 where id = $1",
      values: [migrated, app.clock.now()],
    });
    for (const id of [template, voided, migrated]) {
      expect(refusal(await member.post(`/documents/${id}/mirror`))).toEqual([409, 'refused']);
      expect((await member.get(`/documents/${id}`)).body.actions).not.toContain('mirror');
    }
  });
});

describe('a restricted document', () => {
  const listed = async (id: string) => {
    const { body } = await call(app, 'GET', '/documents?limit=100', { key: company.key });
    return body.data.some((row: { id: string }) => row.id === id);
  };

  test('leaves every list and the API, and comes back when the restriction is lifted, each with its name in the history', async () => {
    const id = await createDraft(app, company.key, { title: 'Bank details' });
    await owner.post('/restricted-papers', { document_id: id, kind: 'bank' });
    expect(await listed(id)).toBe(false);
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).status).toBe(404);
    expect(refusal(await member.get(`/documents/${id}`))).toEqual([404, 'not_found']);
    expect((await admin.get(`/documents/${id}`)).body.actions).toContain('lift_restriction');

    expect(refusal(await member.post(`/documents/${id}/lift-restriction`))).toEqual([403, 'forbidden']);
    expect((await admin.post(`/documents/${id}/lift-restriction`)).body.restricted_kind).toBeNull();
    expect(await listed(id)).toBe(true);
    const entries = (await member.get(`/documents/${id}/timeline`)).body.data;
    expect(entries).toMatchObject([
      { action: 'restriction_lifted', actor: { name: 'grace@example.com' } },
      { action: 'restricted', actor: { name: 'mary@example.com' } },
      { action: 'created' },
    ]);
    expect(refusal(await admin.post(`/documents/${id}/lift-restriction`))).toEqual([409, 'refused']);
  });
});
