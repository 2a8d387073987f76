import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const recipientsOf = (id: string, query = '', key = company.key) =>
  call(app, 'GET', `/documents/${id}/recipients${query}`, { key });

test('a recipient is answered in exactly the fields of the specification, in the list envelope', async () => {
  const id = await createDraft(app, company.key, {
    recipients: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+1 555 0100',
        role: 'Owner',
        auth_level: 'l1_email_sms_otp',
      },
    ],
  });
  const { status, body } = await recipientsOf(id);
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    object: 'list',
    data: [
      {
        object: 'recipient',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        document_id: id,
        display_name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+1 555 0100',
        party_role: 'Owner',
        channel: 'email',
        sign_order: 1,
        auth_level: 'l1_email_sms_otp',
        status: 'pending',
        sent_at: null,
        viewed_at: null,
        signed_at: null,
        declined_at: null,
        declined_reason: null,
      },
    ],
    has_more: false,
    next_cursor: null,
  });
});

test('recipients come by sign_order, and in the order given where it is shared', async () => {
  const wanted = [9, 1, 9, 2_147_483_647, 1, 5];
  const recipients = wanted.map((sign_order, i) => ({ name: `R${i}`, email: `r${i}@example.com`, sign_order }));
  const { body } = await recipientsOf(await createDraft(app, company.key, { recipients }));
  expect(body.data.map((recipient: { display_name: string }) => recipient.display_name)).toEqual([
    'R1',
    'R4',
    'R5',
    'R0',
    'R2',
    'R3',
  ]);
});

test('the list is never paginated, whatever is asked', async () => {
  const recipients = Array.from({ length: 20 }, (_, i) => ({ name: `R${i}`, email: `r${i}@example.com` }));
  const id = await createDraft(app, company.key, { recipients });
  for (const query of ['', '?limit=1', '?limit=0', '?starting_after=x', '?starting_after=x&ending_before=y']) {
    const { status, body } = await recipientsOf(id, query);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(20);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
  }
});

test('a document without recipients has an empty list', async () => {
  const id = await createDraft(app, company.key);
  await app.db.query({ name: '', text: 'delete from recipients where document_id = $1', values: [id] });
  expect((await recipientsOf(id)).body).toStrictEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
});

test('contact details need a right of their own', async () => {
  const id = await createDraft(app, company.key);
  const reader = await company.keyWith(['documents:read']);
  expectRefusal(await recipientsOf(id, '', reader.key), 'insufficient_scope', 'scopes');
  const contacts = await company.keyWith(['recipients:read']);
  expect((await recipientsOf(id, '', contacts.key)).status).toBe(200);
});

test('sending adds no link and nothing that authenticates a signer', async () => {
  const id = await createDraft(app, company.key);
  const fields = async () => Object.keys((await recipientsOf(id)).body.data[0]);
  const before = await fields();
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(await fields()).toEqual(before);
  expect((await recipientsOf(id)).text).not.toMatch(/https?:|\/sign\/|token|secret/i);
});
