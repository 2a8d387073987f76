import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { placeOn } from '../cli/countersign.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { addMember, signedIn, type Visitor } from './visitor.ts';

/** Schedules that end without sending, other than by the rules of sending. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member', 'ruth@example.com'));
});
afterAll(() => app.stop());

const view = async (id: string) => (await member.get(`/documents/${id}`)).body;

async function scheduled(recipient: object = {}): Promise<string> {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com', ...recipient }];
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  const send_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const answer = await member.post(`/documents/${id}/schedule`, { version: (await view(id)).version, send_at });
  expect(answer.status, answer.text).toBe(200);
  return id;
}

test('a document that the database refuses each time is given up after an hour, and the others are sent', async () => {
  const [broken, good] = [await scheduled(), await scheduled()];
  // The next entry of its trail has the number of one that exists.
  await app.db.query({ name: '', text: 'update documents set audit_seq = 1 where id = $1', values: [broken] });
  app.clock.advance({ minutes: 61 });
  expect(await sendScheduled(app.world, app.db, await app.queue())).toBe(1);
  expect((await view(good)).status).toBe('sent');
  expect((await view(broken)).schedule.failure).toBe(null);
  app.clock.advance({ minutes: 61 });
  expect(await sendScheduled(app.world, app.db, await app.queue())).toBe(0);
  expect(await view(broken)).toMatchObject({ status: 'draft', schedule: { failure: 'failed' } });
  const mails = await app.db.query({
    name: '',
    text: `select 1 from jobs.job where name = 'tell-of-schedule' and data->>'documentId' = $1`,
    values: [broken],
  });
  expect(mails).toHaveLength(1);
});

test('erasing a recipient ends the schedule, also of somebody who signs in person', async () => {
  const id = await scheduled({ name: 'Ida Rhodes', email: 'ida@example.com', channel: 'in_person' });
  const found = await findRecipients(app.db, { channel: 'email', address: 'ida@example.com' }, company.id);
  expect(await eraseRecipients(app.world, app.db, found, 'keep')).toMatchObject({ recipients: 1 });
  app.clock.advance({ minutes: 61 });
  expect(await sendScheduled(app.world, app.db, await app.queue())).toBe(0);
  expect(await view(id)).toMatchObject({ status: 'draft', schedule: null });
});

test('an operator lists scheduled documents and cancels a schedule', async () => {
  const id = await scheduled();
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const listed = () => at.json('document', 'list', '--account', company.id, '--scheduled');
  expect(await listed()).toMatchObject([{ id }]);
  expect(await at.json('document', 'cancel-schedule', id)).toMatchObject({ id, status: 'draft' });
  expect(await listed()).toEqual([]);
  expect(await at.fails(1, 'document', 'cancel-schedule', id)).toContain('not scheduled');
});
