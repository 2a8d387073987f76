import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setRestrictedTypes } from '../../src/documents/restricted-documents.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
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
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Editing drafts, templates, and the preview as a signer. */
let app: TestService;
let company: Company;
let member: Visitor;
let admin: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member', 'ruth@example.com'));
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };

interface DraftRecipient {
  id: string;
  name: string;
}

const viewOf = async (id: string, visitor = member) => (await visitor.get(`/documents/${id}`)).body;
const fieldsOf = async (id: string) => (await member.get(`/documents/${id}/fields`)).body.data;
const recipientsOf = async (id: string): Promise<DraftRecipient[]> => (await viewOf(id)).recipients;

async function newestEntry(id: string): Promise<{ action: string; detail: object }> {
  const [entry] = await app.db.query<{ action: string; detail: string }>({
    name: 'newest_entry',
    text: 'select action, detail from audit_entries where document_id = $1 order by seq desc limit 1',
    values: [id],
  });
  return { action: entry?.action ?? '', detail: JSON.parse(entry?.detail ?? '{}') };
}

/** A draft with two recipients, a PDF and a signature field for each. */
async function draftWithFields(): Promise<{ id: string; recipients: DraftRecipient[] }> {
  const id = await createDraft(app, company.key, { title: 'Lease', recipients: [ada, grace] });
  await attachPdf(app, company, id, { pages: [{ text: 'The rent' }] });
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'text' },
    { recipient: 2, type: 'signature' },
  ]);
  return { id, recipients: await recipientsOf(id) };
}

async function edit(id: string, changes: object, visitor = member) {
  const { version } = await viewOf(id, admin);
  return visitor.post(`/documents/${id}`, { title: 'Lease', recipients: [ada], version, ...changes });
}

describe('editing a draft', () => {
  test('gives it other words and recipients; those who stay keep their fields', async () => {
    const { id, recipients } = await draftWithFields();
    const [first, second] = recipients as [DraftRecipient, DraftRecipient];
    const answer = await edit(id, {
      title: 'Lease of the mill',
      type: 'letter',
      primary_language: 'es',
      recipients: [
        { ...grace, id: second.id, name: 'Grace B. Hopper' },
        { name: 'Mary Jackson', channel: 'sms', phone: '+15550100', role: 'approver' },
        { ...ada, id: first.id, sign_order: 2 },
      ],
      content: { message: 'Please read it.', sign_order_mode: 'sequential', expires_in_days: 9 },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      title: 'Lease of the mill',
      type: 'letter',
      language: 'es',
      message: 'Please read it.',
      sign_order_mode: 'sequential',
      expires_in_days: 9,
      recipient_count: 3,
    });
    expect(answer.body.recipients).toMatchObject([
      { id: second.id, name: 'Grace B. Hopper', sign_order: 1 },
      { name: 'Mary Jackson', kind: 'approver', phone: '+15550100', sign_order: 2 },
      { id: first.id, name: 'Ada Lovelace', sign_order: 2 },
    ]);
    expect(await fieldsOf(id)).toMatchObject([
      { recipient: first.id, type: 'signature' },
      { recipient: first.id, type: 'text' },
      { recipient: second.id, type: 'signature' },
    ]);
    const changes = [
      'title',
      'type',
      'primary_language',
      'message',
      'sign_order_mode',
      'expires_in_days',
      'recipients',
    ];
    const detail = { changes, recipients: 3, fields_removed: 0 };
    expect(await newestEntry(id)).toEqual({ action: 'edited', detail });
    const [entry] = (await member.get(`/documents/${id}/timeline`)).body.data;
    expect(entry).toMatchObject({ action: 'edited', actor: { name: 'ruth@example.com' }, changes });
    const { body } = await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
    expect(body.data.map(({ display_name }: { display_name: string }) => display_name)).toEqual([
      'Grace B. Hopper',
      'Mary Jackson',
      'Ada Lovelace',
    ]);
    expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  });

  test('takes the fields of those who go, and the signature of who approves from then on', async () => {
    const { id, recipients: saved } = await draftWithFields();
    const [first] = saved as [DraftRecipient];
    const recipients = [{ ...ada, id: first.id, role: 'approver' }];
    expect((await edit(id, { recipients, content: { sign_order_mode: 'sequential' } })).status).toBe(200);
    expect(await fieldsOf(id)).toMatchObject([{ recipient: first.id, type: 'text' }]);
    expect((await newestEntry(id)).detail).toMatchObject({ fields_removed: 2, recipients: 1 });
    await edit(id, { recipients: [{ ...ada, id: first.id, role: 'cc' }] });
    expect(await fieldsOf(id)).toEqual([]);
  });

  test('from an older state is refused, and changes nothing', async () => {
    const { id } = await draftWithFields();
    const { version } = await viewOf(id);
    const body = { version, title: 'First', recipients: [ada] };
    expect((await member.post(`/documents/${id}`, body)).status).toBe(200);
    const late = await admin.post(`/documents/${id}`, { ...body, title: 'Second' });
    expect(refusal(late)).toEqual([409, 'changed_meanwhile']);
    expect((await viewOf(id)).title).toBe('First');
    const fields = await member.post(`/documents/${id}/fields`, { version, fields: [] });
    expect(refusal(fields)).toEqual([409, 'changed_meanwhile']);
  });

  test('is sent as it was seen, or not at all', async () => {
    const { id } = await draftWithFields();
    const { version } = await viewOf(id);
    await edit(id, { recipients: [grace] });
    expect(refusal(await admin.post(`/documents/${id}/send`, { version }))).toEqual([409, 'changed_meanwhile']);
    expect((await viewOf(id)).status).toBe('draft');
    const { version: seen } = await viewOf(id);
    expect((await admin.post(`/documents/${id}/send`, { version: seen })).status).toBe(200);
    expect(refusal(await admin.post(`/documents/${id}/send`, { version: seen }))).toEqual([
      409,
      'document_not_sendable',
    ]);
  });

  test('of two at once one is refused', async () => {
    const id = await createDraft(app, company.key);
    const { version } = await viewOf(id);
    const save = (title: string) => member.post(`/documents/${id}`, { version, title, recipients: [ada] });
    const answers = await Promise.all(['One', 'Two'].map(save));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('to what it is already records nothing', async () => {
    const id = await createDraft(app, company.key, { title: 'Same', recipients: [ada] });
    const { version, recipients, type } = await viewOf(id);
    await edit(id, { title: 'Same', type, recipients: [{ ...ada, id: recipients[0].id }] });
    expect((await viewOf(id)).version).toBe(version);
  });

  test.each([
    ['an empty title', { title: ' ' }, 'title'],
    ['no address', { recipients: [{ name: 'Ada' }] }, 'recipients[0].email'],
    ['the recipient of another document', { recipients: [{ ...ada, id: crypto.randomUUID() }] }, 'recipients[0].id'],
    ['21 recipients', { recipients: Array.from({ length: 21 }, () => ada) }, 'recipients'],
    ['an expiry of a year and a day', { content: { expires_in_days: 366 } }, 'content.expires_in_days'],
  ])('refuses %s', async (_what, changes, param) => {
    const answer = await edit(await createDraft(app, company.key), changes);
    expect([...refusal(answer), answer.body.error.param]).toEqual([400, 'invalid_input', param]);
  });

  test('refuses the same recipient twice', async () => {
    const id = await createDraft(app, company.key);
    const [recipient] = await recipientsOf(id);
    const twice = { ...ada, id: recipient?.id };
    expect(refusal(await edit(id, { recipients: [twice, twice] }))).toEqual([400, 'invalid_input']);
  });

  test('is for documents that were not sent, by owners and admins while they are in review', async () => {
    expect(refusal(await edit(await createSent(app, company.key), {}))).toEqual([409, 'refused']);
    const id = await createDraft(app, company.key);
    await app.db.query({ name: '', text: "update documents set status = 'in_review' where id = $1", values: [id] });
    expect(refusal(await edit(id, {}))).toEqual([403, 'forbidden']);
    expect((await edit(id, {}, admin)).status).toBe(200);
    expect(refusal(await edit(id, {}, stranger))).toEqual([404, 'not_found']);
  });

  test('to a type that the company restricts makes it a sensitive paper, until the restriction is lifted', async () => {
    const careful = await createCompany(app);
    const owner = await signedIn(app, await addMember(app, careful.id, 'owner'));
    await app.db.transaction((tx) => setRestrictedTypes(app.world, tx, careful.id, ['w9'], null));
    const id = await createDraft(app, careful.key);
    const body = { version: 1, title: 'Tax', type: 'w9', recipients: [ada] };
    expect((await owner.post(`/documents/${id}`, body)).body.restricted_kind).toBe('other');
    expect((await call(app, 'GET', `/documents/${id}`, { key: careful.key })).status).toBe(404);
    const { version } = (await owner.post(`/documents/${id}/lift-restriction`)).body;
    const corrected = await owner.post(`/documents/${id}`, { ...body, version, title: 'Tax of March' });
    expect(corrected.body).toMatchObject({ title: 'Tax of March', restricted_kind: null });
  });
});

describe('a copy', () => {
  const copyOf = (id: string, visitor = member) => visitor.post(`/documents/${id}/copy`);

  test('is a draft with the recipients, file and fields of a document that was sent, and leaves it as it is', async () => {
    const id = await createDraft(app, company.key, {
      title: 'Lease of a barn',
      type: 'contract',
      recipients: [{ ...ada, role: 'Tenant' }, grace],
      content: { message: 'Please sign.', sign_order_mode: 'sequential', expires_in_days: 9 },
    });
    await attachPdf(app, company, id, { pages: [{ text: 'The rent' }] });
    await placeOn(app, company, id, [{ recipient: 1, type: 'text', label: 'Door' }]);
    await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
    await eventually(
      () => viewOf(id),
      (view) => view.recipients[0].delivery.state === 'accepted',
    );
    await member.post(`/documents/${id}/void`, { reason: 'A mistake' });
    const before = await viewOf(id);

    const copied = await copyOf(id);
    const copy = await viewOf(copied.body.id);
    const { title, type, message, expires_in_days } = before;
    expect(copy).toMatchObject({ status: 'draft', sent_at: null, title, type, message, expires_in_days });
    expect(copy.file.name).toBe(before.file.name);
    expect(copy.recipients).toMatchObject([{ ...ada, role: 'Tenant', status: 'pending' }, grace]);
    expect(await fieldsOf(copy.id)).toMatchObject([{ recipient: copy.recipients[0].id, type: 'text', label: 'Door' }]);
    expect(await viewOf(id)).toEqual(before);
    expect((await member.post(`/documents/${copy.id}/send`)).body.status).toBe('sent');
  });

  test('is as sensitive as its source, and not made of what cannot be seen or copied', async () => {
    const id = await createDraft(app, company.key);
    expect(refusal(await copyOf(id, stranger))).toEqual([404, 'not_found']);
    await app.db.query({ name: '', text: "update documents set restricted_kind = 'pay' where id = $1", values: [id] });
    expect(refusal(await copyOf(id))).toEqual([404, 'not_found']);
    const { id: sensitive } = (await copyOf(id, admin)).body;
    expect(await viewOf(sensitive, admin)).toMatchObject({ restricted_kind: 'pay' });
    expect((await member.get(`/documents/${sensitive}`)).status).toBe(404);

    const { id: template } = (await member.post('/templates', { title: 'Lease', recipients: [] })).body;
    expect(refusal(await copyOf(template))).toEqual([409, 'refused']);
    const migrated = await createSent(app, company.key);
    await app.db.query({
      name: '',
      text: "update documents set is_migrated = true, status = 'completed', completed_at = $2 where id = $1",
      values: [migrated, app.clock.now()],
    });
    expect(refusal(await copyOf(migrated))).toEqual([409, 'refused']);
    expect((await viewOf(migrated)).actions).not.toContain('copy');
  });
});

describe('templates', () => {
  /** Creates a template with a PDF, a role with a field, and a fixed recipient. */
  async function aTemplate(): Promise<{ id: string; recipients: DraftRecipient[] }> {
    const recipients = [
      { name: 'Tenant', role: 'Tenant' },
      { name: 'Records office', email: 'records@example.com', role: 'cc' },
    ];
    const { id } = (await member.post('/templates', { title: 'Lease template', type: 'contract', recipients })).body;
    await attachPdf(app, company, id, { pages: [{ text: 'The rent' }] });
    await placeOn(app, company, id, [{ recipient: 1, type: 'signature' }]);
    return { id, recipients: await recipientsOf(id) };
  }

  const titles = async (query = '', visitor = member): Promise<string[]> =>
    (await visitor.get(`/templates${query}`)).body.data.map(({ title }: { title: string }) => title);

  async function references(id: string): Promise<number> {
    const [row] = await app.db.query<{ references: number }>({
      name: '',
      text: `select s.reference_count as references from document_files f join stored_files s on s.sha256 = f.sha256
             where f.document_id = $1`,
      values: [id],
    });
    return row?.references ?? 0;
  }

  test('are made of roles, which nobody can be reached by, and are not there for API keys', async () => {
    const { id, recipients } = await aTemplate();
    expect(recipients).toMatchObject([
      { name: 'Tenant', role: 'Tenant', email: null },
      { name: 'Records office', kind: 'cc', email: 'records@example.com' },
    ]);
    expect(await viewOf(id)).toMatchObject({ is_template: true, title: 'Lease template', file: { name: 'Lease.pdf' } });
    for (const path of [`/documents/${id}`, `/documents/${id}/recipients`]) {
      expect((await call(app, 'GET', path, { key: company.key })).status).toBe(404);
    }
    expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(404);
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([409, 'document_not_sendable']);
    const listed = await call(app, 'GET', '/documents?limit=100', { key: company.key });
    expect(listed.text).not.toContain(id);
  });

  test('become drafts: words, file and fields are copied, the sender says who the recipients are', async () => {
    const { id, recipients: saved } = await aTemplate();
    const before = await references(id);
    const { version } = await viewOf(id);
    const [tenant, office] = saved as [DraftRecipient, DraftRecipient];
    const recipients = [
      { id: tenant.id, name: 'Ada Lovelace', email: 'ada@example.com', role: 'Tenant' },
      { id: office.id, name: 'Records office', email: 'records@example.com', role: 'cc' },
    ];
    const used = await member.post(`/templates/${id}/use`, {
      version,
      title: 'Lease of Ada',
      type: 'contract',
      recipients,
    });
    const draft = await viewOf(used.body.id);
    expect(draft).toMatchObject({
      is_template: false,
      status: 'draft',
      title: 'Lease of Ada',
      file: { name: 'Lease.pdf' },
    });
    expect(draft.recipients).toMatchObject([{ name: 'Ada Lovelace', role: 'Tenant' }, { name: 'Records office' }]);
    expect(draft.recipients[0].id).not.toBe(tenant.id);
    expect(await fieldsOf(draft.id)).toMatchObject([{ recipient: draft.recipients[0].id, type: 'signature' }]);
    expect(await references(id)).toBe(before + 1);
    expect((await call(app, 'POST', `/documents/${draft.id}/send`, { key: company.key })).status).toBe(200);
    expect((await recipientsOf(id)).map(({ name }) => name)).toEqual(['Tenant', 'Records office']);

    const nobody = { version, title: 'Lease', recipients: [{ id: tenant.id, name: 'Ada Lovelace' }] };
    const unreachable = await member.post(`/templates/${id}/use`, nobody);
    expect([...refusal(unreachable), unreachable.body.error.param]).toEqual([
      400,
      'invalid_input',
      'recipients[0].email',
    ]);
  });

  test('that were changed meanwhile are not used as they were', async () => {
    const { id } = await aTemplate();
    const { version } = await viewOf(id);
    expect((await edit(id, { title: 'Lease, revised', recipients: [{ name: 'Landlord' }] })).status).toBe(200);
    const used = await member.post(`/templates/${id}/use`, { version, title: 'Lease', recipients: [ada] });
    expect(refusal(used)).toEqual([409, 'changed_meanwhile']);
  });

  test('are made of drafts, which stay as they are', async () => {
    const { id } = await draftWithFields();
    const { version } = await viewOf(id);
    const template = await viewOf((await member.post(`/documents/${id}/template`)).body.id);
    expect(template).toMatchObject({ is_template: true, title: 'Lease', file: { name: 'Lease.pdf' } });
    const types = (await fieldsOf(template.id)).map(({ type }: { type: string }) => type);
    expect(types).toEqual(['signature', 'text', 'signature']);
    expect((await viewOf(id)).version).toBe(version);
    expect((await newestEntry(template.id)).action).toBe('made_template');
    const sent = await createSent(app, company.key);
    expect(refusal(await member.post(`/documents/${sent}/template`))).toEqual([409, 'refused']);
  });

  test('a template is duplicated with its PDF and fields, under a title that says so and isn’t too long', async () => {
    const { id } = await aTemplate();
    const { body } = await member.post(`/documents/${id}/template`);
    const copy = await viewOf(body.id);
    expect(copy).toMatchObject({ is_template: true, title: 'Lease template (copy)', file: { name: 'Lease.pdf' } });
    const placeOf = ({ type, page, x, y }: Record<string, unknown>) => ({ type, page, x, y });
    expect((await fieldsOf(body.id)).map(placeOf)).toEqual((await fieldsOf(id)).map(placeOf));
    const { id: long } = (await member.post('/templates', { title: '😀'.repeat(200), recipients: [] })).body;
    const spanish = await member.post(`/documents/${long}/template`, {}, { 'accept-language': 'es' });
    expect((await viewOf(spanish.body.id)).title).toBe(`${'😀'.repeat(192)} (copia)`);
    await admin.call('DELETE', `/templates/${long}`);
    expect(refusal(await member.post(`/documents/${long}/template`))).toEqual([409, 'refused']);
  });

  test('are listed by pages, the newest first, searched by title and role, each company its own', async () => {
    const other = await createCompany(app);
    const visitor = await signedIn(app, await addMember(app, other.id, 'member'));
    expect(await titles('', visitor)).toEqual([]);
    for (const [title, name] of [
      ['Lease of a flat', 'Tenant'],
      ['Loan', 'Debtor'],
      ['Lease of a 100 % new car', 'Driver'],
    ]) {
      await visitor.post('/templates', { title, recipients: [{ name }] });
    }
    const first = (await visitor.get('/templates?limit=2')).body;
    expect(first.data.map(({ title }: { title: string }) => title)).toEqual(['Lease of a 100 % new car', 'Loan']);
    expect(await titles(`?limit=2&starting_after=${first.next_cursor}`, visitor)).toEqual(['Lease of a flat']);
    expect(await titles('?q=LEASE%20driver', visitor)).toEqual(['Lease of a 100 % new car']);
    expect(await titles('?q=%25', visitor)).toEqual(['Lease of a 100 % new car']);
    expect(refusal(await visitor.get('/templates?q=%00'))).toEqual([400, 'invalid_input']);
    expect((await visitor.get('/documents')).body.data).toEqual([]);
  });

  test('are deleted by owners and admins, with their file; drafts that were made from them keep theirs', async () => {
    const { id } = await aTemplate();
    const { version } = await viewOf(id);
    const used = (await member.post(`/templates/${id}/use`, { version, title: 'Kept', recipients: [ada] })).body.id;
    const before = await references(used);
    expect(refusal(await member.call('DELETE', `/templates/${id}`))).toEqual([403, 'forbidden']);
    expect(refusal(await member.post(`/documents/${id}/void`, { reason: 'Not wanted' }))).toEqual([409, 'refused']);
    expect(refusal(await stranger.call('DELETE', `/templates/${id}`))).toEqual([404, 'not_found']);
    expect((await admin.call('DELETE', `/templates/${id}`)).status).toBe(200);
    expect(refusal(await admin.call('DELETE', `/templates/${id}`))).toEqual([404, 'not_found']);
    expect(refusal(await member.post(`/templates/${id}/use`, { version, title: 'x', recipients: [] }))).toEqual([
      404,
      'not_found',
    ]);
    expect((await member.get('/templates?limit=100')).text).not.toContain(id);
    expect(await references(used)).toBe(before - 1);
    expect((await viewOf(used)).file).toMatchObject({ name: 'Lease.pdf' });
    expect((await newestEntry(id)).action).toBe('voided');
    expect((await admin.call('DELETE', `/templates/${used}`)).status).toBe(404);
  });
});

describe('a preview as the signer', () => {
  const preview = (id: string, recipient: string, query = '', visitor = member) =>
    visitor.get(`/documents/${id}/recipients/${recipient}/preview${query}`);

  test('is the signing page of each recipient, and leaves no trace', async () => {
    const { id, recipients } = await draftWithFields();
    const [first, second] = recipients as [DraftRecipient, DraftRecipient];
    const before = await viewOf(id);
    const { status, headers, text } = await preview(id, first.id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(text).toContain('data-state="open"');
    expect(text).toContain('data-preview');
    const fieldsIn = (html: string) => html.match(/data-field="/g)?.length;
    expect([fieldsIn(text), fieldsIn((await preview(id, second.id)).text)]).toEqual([2, 1]);
    const page = `/documents/${id}/recipients/${first.id}/preview/pages/1`;
    expect((await member.get(`${page}?width=600`)).headers.get('content-type')).toBe('image/webp');
    expect((await member.get(`${page}/text`)).body.lines).toMatchObject([{ text: 'The rent' }]);
    expect(await viewOf(id)).toEqual(before);
    const links = await app.db.query({
      name: '',
      text: 'select 1 from signing_links l join recipients r on r.id = l.recipient_id where r.document_id = $1',
      values: [id],
    });
    expect(links).toEqual([]);
  });

  test('shows what comes first for those who prove who they are, and what a copy is', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [
        { ...ada, phone: '+15550142', auth_level: 'l1_email_sms_otp' },
        { ...grace, auth_level: 'l0_account_session' },
        { name: 'Mary Jackson', channel: 'in_person' },
        { name: 'Records office', email: 'records@example.com', role: 'cc' },
      ],
      content: { message: 'Only for those who may', sign_order_mode: 'sequential' },
    });
    const [code, account, device, copy] = (await recipientsOf(id)) as [
      DraftRecipient,
      DraftRecipient,
      DraftRecipient,
      DraftRecipient,
    ];
    const stateOf = async (recipient: DraftRecipient, query = '') =>
      /data-state="(\w+)"/.exec((await preview(id, recipient.id, query)).text)?.[1];
    expect([await stateOf(code, '?step=first'), await stateOf(code)]).toEqual(['needs_code', 'open']);
    expect([await stateOf(account, '?step=first'), await stateOf(account)]).toEqual(['needs_account', 'open']);
    expect([await stateOf(device, '?step=first'), await stateOf(device)]).toEqual(['hand_over', 'open']);
    expect(await stateOf(copy)).toBe('copy');
    expect((await preview(id, code.id, '?step=first')).text).not.toContain('Only for those who may');
  });

  test('is for members of the company, of what was not sent yet', async () => {
    const id = await createDraft(app, company.key);
    const [recipient] = (await recipientsOf(id)) as [DraftRecipient];
    expect(refusal(await preview(id, recipient.id, '', stranger))).toEqual([404, 'not_found']);
    expect(refusal(await preview(id, crypto.randomUUID()))).toEqual([404, 'not_found']);
    await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
    expect(refusal(await preview(id, recipient.id))).toEqual([409, 'refused']);
  });
});

test('a request that is repeated with its id creates one document, template or public link, also while the first one runs', async () => {
  const title = 'Created once';
  const { id } = (await member.post('/templates', { title, recipients: [{ name: 'Tenant' }] })).body;
  const { version } = await viewOf(id);
  for (const [path, body] of [
    ['/documents', { title, recipients: [ada] }],
    ['/templates', { title, recipients: [{ name: 'Tenant' }] }],
    [`/documents/${await createDraft(app, company.key, { title, recipients: [ada] })}/copy`, {}],
    [`/documents/${await createDraft(app, company.key, { title, recipients: [ada] })}/mirror`, {}],
    [`/documents/${id}/template`, {}],
    [`/templates/${id}/use`, { title, recipients: [ada], version }],
    [`/templates/${id}/links`, {}],
  ] as const) {
    const named = (last: number) => ({ ...body, request_id: `0190a1b2-0000-4000-8000-00000000000${last}` });
    const answers = await Promise.all([1, 1, 2].map((last) => member.post(path, named(last))));
    expect(
      answers.map(({ status }) => status),
      path,
    ).toEqual([200, 200, 200]);
    const [first, again, other] = answers.map((answer) => answer.body.id);
    expect(again, path).toBe(first);
    expect(other, path).not.toBe(first);
    expect((await member.post(path, named(1))).body.id, path).toBe(first);
  }
});

test('a change that is sent again because its answer was lost is made once', async () => {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  const { version } = await viewOf(id);
  const named = (last: number) => ({ version, request_id: `0190a1b2-0000-4000-8000-00000000000${last}` });
  const edited = { title: 'Edited once', recipients: [ada] };
  const [first, again] = [
    await member.post(`/documents/${id}`, { ...edited, ...named(1) }),
    await member.post(`/documents/${id}`, { ...edited, ...named(1) }),
  ];
  expect([first.status, again.status, again.body.version]).toEqual([200, 200, first.body.version]);
  expect(again.body.title).toBe('Edited once');
  expect(refusal(await member.post(`/documents/${id}`, { ...edited, ...named(2) }))).toEqual([
    409,
    'changed_meanwhile',
  ]);

  const schedule = (hour: number) =>
    member.post(`/documents/${id}/schedule`, {
      version: first.body.version,
      send_at: new Date(app.clock.now().getTime() + hour * 3_600_000).toISOString(),
    });
  const [scheduled, repeated] = [await schedule(1), await schedule(1)];
  expect([scheduled.status, repeated.status, repeated.body.version]).toEqual([200, 200, scheduled.body.version]);
  expect(refusal(await schedule(2))).toEqual([409, 'changed_meanwhile']);
});
