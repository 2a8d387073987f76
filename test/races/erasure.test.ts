import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { createMember, listMembers } from '../../src/accounts/members.ts';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { editDocument } from '../../src/documents/edit-document.ts';
import { listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { addMember, refusal, signedIn } from '../console/visitor.ts';
import { createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { holdRow, interleave } from './interleave.ts';

/** Somebody is erased while others change what they are erased from. */
let app: TestService;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());

test('a draft that was given to somebody else after its recipient was found keeps them', async () => {
  const company = await createCompany(app);
  const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const bob = { name: 'Bob Next', email: 'bob@example.com' };
  const id = await createDraft(app, company.key, { recipients: [ada] });
  const untouched = await createDraft(app, company.key, { recipients: [ada] });
  const found = await findRecipients(app.db, { channel: 'email', address: ada.email }, company.id);
  expect(found).toHaveLength(2);
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    const [{ id: recipient } = { id: '' }] = await listRecipients(tx, company.id, id);
    const body = { title: 'Lease', recipients: [{ id: recipient, ...bob }] };
    if (document !== null) await editDocument(app.world, tx, document, 'operator', body as never);
  });
  expect(await eraseRecipients(app.world, app.db, found, 'keep')).toMatchObject({ recipients: 1, documents: 1 });
  const nameOf = async (document: string) => (await listRecipients(app.db, company.id, document))[0]?.display_name;
  expect([await nameOf(id), await nameOf(untouched)]).toEqual([bob.name, 'Erased person']);
});

test('a page that was open when somebody was erased from a draft or template saves them no more', async () => {
  const company = await createCompany(app);
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const ada = { name: 'Ada Lovelace', email: 'ada@draft.example' };
  const { id: template } = (await member.post('/templates', { title: 'Lease', recipients: [ada] })).body;
  const reviewed = await createDraft(app, company.key, { recipients: [ada] });
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  await admin.post(`/documents/${reviewed}/review`);
  const ids = [await createDraft(app, company.key, { recipients: [ada] }), template, reviewed];
  const opened = await Promise.all(ids.map(async (id) => (await admin.get(`/documents/${id}`)).body));
  const found = await findRecipients(app.db, { channel: 'email', address: ada.email }, company.id);
  const erased = await eraseRecipients(app.world, app.db, found, 'keep');
  expect(erased).toMatchObject({ recipients: 3, documents: 3, audit_entries: 0 });

  for (const { id, version, title, recipients } of opened) {
    const body = { title, version, recipients: [{ id: recipients[0].id, ...ada }] };
    expect(refusal(await admin.post(`/documents/${id}`, body)), id).toEqual([409, 'changed_meanwhile']);
    expect((await listRecipients(app.db, company.id, id))[0]).toMatchObject({
      display_name: 'Erased person',
      email: null,
    });
    const trail = await readAudit(app.db, company.id, id);
    expect(trail.at(-1)).toMatchObject({ action: 'personal_data_erased', detail: { entries: [] } });
    expect(firstBreak(id, trail)).toBeNull();
  }
});

test('an owner who is invited elsewhere while their company is erased is a member there', async () => {
  const [company, other] = [await createCompany(app), await createCompany(app)];
  const owner = await addMember(app, company.id, 'owner');
  await signedIn(app, owner);
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  await requestErasure(app.world, app.db, company.id);
  const { signal } = new AbortController();
  const invitation = { accountId: other.id, email: owner.email, role: 'owner' } as const;
  const both = await interleave<unknown, unknown>(
    app,
    holdRow('sessions', 'person_id', owner.personId),
    () => eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping: signal }),
    () => app.db.transaction((tx) => createMember(app.world, tx, invitation, null)),
  );
  expect(both).toMatchObject([{ ok: true }, { ok: true }]);
  expect((await listMembers(app.db, other.id)).map(({ email }) => email)).toEqual([owner.email]);
});
