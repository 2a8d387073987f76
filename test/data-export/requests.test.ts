import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { archivesMax, keptDays, openHours, removeOldExports } from '../../src/data-export/data-exports.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { execute, placeOn } from '../cli/countersign.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { attachPdf, filesOf } from '../support/attach.ts';
import { createDataExport, downloadArchive, withUnpacked } from '../support/data-export.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Exports that owners ask for: who may, how many, how long they stay, and downloading them. */
let app: TestService;
let company: Company;
let ruth: Member;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner');
  owner = await signedIn(app, ruth);
});

function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.db.query<Row>({ name: '', text, values });
}

const archivesOf = (id: string) => {
  const directory = join(app.dataDir, 'files', 'exports', id);
  return existsSync(directory) ? readdirSync(directory) : [];
};

const actions = async () => {
  const rows = await sql<{ action: string }>(
    `select action from account_audit_entries where account_id = $1 and action like 'data_export%' order by id`,
    [company.id],
  );
  return rows.map(({ action }) => action);
};

const open = (id: string) => owner.post(`/data-exports/${id}/open`);

test('the owner who asked gets an e-mail whose link needs a sign-in', async () => {
  const id = await createDataExport(owner);
  const mails = await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox'), { to: ruth.email }),
    (found) => found.length > 0,
  );
  expect(mails.map(({ subject }) => subject)).toEqual(['The data export of Acme Builders is ready']);
  const { origin } = new URL(app.baseUrl);
  expect(mails[0]?.links).toEqual([`${origin}/settings/data-export`]);
  expect(mails[0]?.text).not.toContain(id);
});

test('a download can be continued, also by a session whose sign-in is not recent any more', async () => {
  const id = await createDataExport(owner);
  expect(refusal(await owner.get(`/data-exports/${id}/archive`))).toEqual([403, 'sign_in_again']);
  expect((await open(id)).status).toBe(200);
  const whole = await downloadArchive(app, owner, id);
  const etag = whole.headers.get('etag') ?? '';
  expect([whole.status, whole.headers.get('content-length'), whole.headers.get('accept-ranges')]).toEqual([
    200,
    String(whole.bytes.length),
    'bytes',
  ]);
  app.clock.advance({ hours: 1 });
  expect(refusal(await owner.post('/data-exports'))).toEqual([403, 'sign_in_again']);
  const size = whole.bytes.length;
  const part = await downloadArchive(app, owner, id, { range: 'bytes=1000-', 'if-range': etag });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-${size - 1}/${size}`]);
  expect(Buffer.concat([whole.bytes.subarray(0, 1000), part.bytes]).equals(whole.bytes)).toBe(true);
  const middle = await downloadArchive(app, owner, id, { range: 'bytes=10-19' });
  expect([middle.status, middle.headers.get('content-length')]).toEqual([206, '10']);
  expect(middle.bytes.equals(whole.bytes.subarray(10, 20))).toBe(true);
  const beyond = await downloadArchive(app, owner, id, { range: `bytes=${size}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  expect((await downloadArchive(app, owner, id, { range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200);
  // Another session of the same owner has to confirm the download itself.
  expect(refusal(await (await signedIn(app, ruth)).get(`/data-exports/${id}/archive`))).toEqual([403, 'sign_in_again']);
  expect(await actions()).toEqual(['data_export_requested', 'data_export_downloaded']);
});

test('a confirmed download ends after a day', async () => {
  const id = await createDataExport(owner);
  await open(id);
  // A session that nobody uses ends after twelve hours.
  for (const hours of [openHours / 3, openHours / 3]) {
    app.clock.advance({ hours });
    expect((await owner.get('/data-exports')).status).toBe(200);
  }
  app.clock.advance({ hours: openHours / 3, seconds: -1 });
  expect((await downloadArchive(app, owner, id)).status).toBe(200);
  app.clock.advance({ seconds: 1 });
  expect((await downloadArchive(app, owner, id)).status).toBe(403);
});

test('one export at a time, also when two are asked for at once, and three archives', async () => {
  const both = await Promise.all([owner.post('/data-exports'), owner.post('/data-exports')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body.error.code).toBe('data_export_running');
  const first = both.find(({ status }) => status === 200)?.body.id;
  await eventually(
    async () => (await owner.get('/data-exports')).body.data,
    (rows) => rows.every(({ status }: { status: string }) => status === 'ready'),
  );
  for (let n = 1; n < archivesMax; n += 1) await createDataExport(owner);
  expect(refusal(await owner.post('/data-exports'))).toEqual([409, 'too_many_data_exports']);
  expect((await owner.call('DELETE', `/data-exports/${first}`)).status).toBe(200);
  expect(refusal(await owner.call('DELETE', `/data-exports/${first}`))).toEqual([404, 'not_found']);
  expect((await owner.post('/data-exports')).status).toBe(200);
  const listed = (await owner.get('/data-exports?limit=2')).body;
  expect([listed.data.length, listed.has_more]).toEqual([2, true]);
});

test('an archive is removed after seven days, or after it was deleted', async () => {
  const kept = await createDataExport(owner);
  const deleted = await createDataExport(owner);
  expect([archivesOf(kept), archivesOf(deleted)]).toEqual([['1.zip'], ['1.zip']]);
  await owner.call('DELETE', `/data-exports/${deleted}`);
  const remove = () => removeOldExports(app.world, app.db, filesOf(app));
  await remove();
  expect([archivesOf(kept), archivesOf(deleted)]).toEqual([['1.zip'], []]);
  app.clock.advance({ days: keptDays, seconds: -1 });
  await remove();
  expect(archivesOf(kept)).toEqual(['1.zip']);
  app.clock.advance({ seconds: 1 });
  await remove();
  expect(archivesOf(kept)).toEqual([]);
  expect(await sql('select id from data_exports where account_id = $1', [company.id])).toEqual([]);
});

test('a cancelled export stops, and nothing of it stays', async () => {
  const { id } = (await owner.post('/data-exports')).body;
  expect((await owner.call('DELETE', `/data-exports/${id}`)).status).toBe(200);
  expect((await owner.get('/data-exports')).body.data).toEqual([]);
  await eventually(
    async () => {
      await removeOldExports(app.world, app.db, filesOf(app));
      return sql('select id from data_exports where id = $1', [id]);
    },
    (rows) => rows.length === 0,
  );
  expect(archivesOf(id)).toEqual([]);
  expect((await actions())[0]).toBe('data_export_requested');
});

test('a lost archive is not offered for download', async () => {
  const id = await createDataExport(owner);
  await rm(join(app.dataDir, 'files', 'exports', id), { recursive: true });
  expect(refusal(await open(id))).toEqual([404, 'not_found']);
});

test('removing a company removes its archives, and so does erasing it', async () => {
  const id = await createDataExport(owner);
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  await at.json('account', 'remove', company.id);
  expect((await open(id)).status).toBe(403);
  await requestErasure(app.world, app.db, company.id);
  await eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping: new AbortController().signal });
  expect(archivesOf(id)).toEqual(['1.zip']);
  await removeOldExports(app.world, app.db, filesOf(app));
  expect(archivesOf(id)).toEqual([]);

  const other = await createCompany(app);
  const otherOwner = await signedIn(app, await addMember(app, other.id, 'owner'));
  const removed = await createDataExport(otherOwner);
  await at.json('account', 'remove', other.id);
  await removeOldExports(app.world, app.db, filesOf(app));
  expect(archivesOf(removed)).toEqual([]);
});

test('erasing a recipient, or a member, ends the exports that have their data', async () => {
  await createSent(app, company.key);
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const statusOf = async (id: string) => sql('select status from data_exports where id = $1', [id]);
  const first = await createDataExport(owner);
  const [sent] = await sql<{ id: string }>('select id from documents where account_id = $1', [company.id]);
  await at.json('document', 'void', sent?.id ?? '', '--reason', 'Not needed');
  await at.json(
    'recipient',
    'erase',
    '--email',
    'ada@example.com',
    '--account',
    company.id,
    '--files',
    'keep',
    '--confirm',
  );
  expect(await statusOf(first)).toEqual([{ status: 'cancelled' }]);
  const second = await createDataExport(owner);
  const guest = await addMember(app, company.id, 'member');
  await app.db.transaction((tx) => erasePerson(app.world, tx, guest.personId));
  expect(await statusOf(second)).toEqual([{ status: 'cancelled' }]);
  await open(second);
  expect((await downloadArchive(app, owner, second)).status).toBe(404);
});

test('erasing someone ends the exports of companies that they left, and of those that only mention them', async () => {
  const statusesOf = async (...ids: string[]) => {
    const rows = await sql<{ id: string; status: string }>('select id, status from data_exports where id = any ($1)', [
      ids,
    ]);
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  };
  const exportOf = async ({ id }: Company) => createDataExport(await signedIn(app, await addMember(app, id, 'owner')));
  const [left, untouched] = [await createCompany(app), await createCompany(app)];
  const guest = await addMember(app, company.id, 'member');
  expect((await owner.call('DELETE', `/members/${guest.id}`)).status).toBe(200);
  const entry = `insert into account_audit_entries (id, account_id, person_id, at, action, detail) values ($1, $2, $3, now(), 'signed_in', '{}')`;
  await sql(entry, [app.world.newId(), left.id, guest.personId]);
  let exported = [await createDataExport(owner), await exportOf(left), await exportOf(untouched)];
  await app.db.transaction((tx) => erasePerson(app.world, tx, guest.personId));
  expect(await statusesOf(...exported)).toEqual(['cancelled', 'cancelled', 'ready']);

  const address = `eve-${company.id}@example.com`;
  await owner.post('/documents/views', { name: 'Eve', search: `q=${encodeURIComponent(address)}` });
  await sql('insert into brands (account_id, reply_to, version) values ($1, $2, 1)', [left.id, address]);
  exported = [await createDataExport(owner), await exportOf(left), await exportOf(untouched)];
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  await at.json('recipient', 'erase', '--email', address, '--files', 'keep', '--confirm');
  expect(await statusesOf(...exported)).toEqual(['cancelled', 'cancelled', 'ready']);
});

test('the command line writes a ZIP file or a directory, replaces nothing, and leaves nothing half', async () => {
  const draft = await createDraft(app, company.key);
  await attachPdf(app, company, draft);
  // The request is logged a moment later, which would be between the two exports.
  await eventually(
    () => sql('select from request_log where account_id = $1', [company.id]),
    ({ length }) => length > 0,
  );
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const written = await at.json('account', 'export', company.id, 'acme.zip');
  expect(written).toMatchObject({ documents: 1, files: 1, missing_files: 0 });
  await withUnpacked(join(at.cwd, 'acme.zip'), async (unpacked) => {
    await at.json('account', 'export', company.id, 'acme');
    const diff = await execute('/usr/bin/diff', ['-rq', unpacked, join(at.cwd, 'acme')], {}, at.cwd);
    // Both have the audit entry of the export before, the time, and with it the manifest.
    const differing = diff.stdout.toString().match(/unpacked\/(\S+)/g);
    expect(differing?.map((name) => name.slice('unpacked/'.length)).toSorted()).toEqual([
      'audit-log.jsonl',
      'manifest.json',
    ]);
  });
  expect(await at.fails(1, 'account', 'export', company.id, 'acme.zip')).toContain('is there already');
  expect(await at.fails(1, 'account', 'export', company.id, 'acme')).toContain('is there already');
  expect(await at.fails(1, 'account', 'export', company.id, 'no/such/place.zip')).toContain('cannot be written');
  expect(await at.fails(1, 'account', 'export', ruth.id, 'other.zip')).toContain('no account');
  expect(readdirSync(at.cwd).toSorted()).toEqual(['acme', 'acme.zip']);
  expect(await actions()).toEqual(['data_export_downloaded', 'data_export_downloaded']);

  // The audit entry comes last, and says only what has happened.
  await sql(
    `create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'the log is out'; end $$`,
  );
  await sql(`create trigger refuse_entry before insert on account_audit_entries for each row
             when (new.action = 'data_export_downloaded') execute function refuse_entry()`);
  const unlogged = await at.fails(1, 'account', 'export', company.id, 'unlogged.zip');
  await sql('drop function refuse_entry cascade');
  expect(unlogged).toMatch(/unlogged\.zip was written, but the audit log does not have it: .*the log is out/);
  expect(readdirSync(at.cwd)).toContain('unlogged.zip');

  const id = await createDataExport(owner);
  expect(await at.json('account', 'exports', company.id)).toMatchObject([
    { id, status: 'ready', requested_by: ruth.email },
  ]);
  expect(await at.json('account', 'exports', company.id, '--remove', id)).toEqual([]);
});
