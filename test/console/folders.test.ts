import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { foldersMax } from '../../src/accounts/folders.ts';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { movedMax } from '../../src/documents/move-documents.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { sendReviewNotice } from '../../src/documents/review-notice.ts';
import { sendScheduleNotice } from '../../src/documents/schedule-notice.ts';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import type { ReviewJob, ScheduleJob } from '../../src/messages/job-queue.ts';
import { createUnsubscribeLinks } from '../../src/messages/unsubscribe-links.ts';
import { createMailbox, listMailbox } from '../../src/platform/mailbox.ts';
import { writeNotice } from '../../src/signing/write-notice.ts';
import { checkBulk } from '../support/bulk-send.ts';
import { insertMany } from '../support/insert-many.ts';
import { visitLink } from '../support/public-link.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Folders of a company: managing them and their members, moving documents, and what is made from documents in them. */
let app: TestService;
let company: Company;
let owner: Visitor;
let ruth: Member;
/** A member of the company, in no folder at first. */
let member: Visitor;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const csv = 'Employee name,Employee email\nAda,ada@example.com\n';

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  ruth = await addMember(app, company.id, 'member');
  member = await signedIn(app, ruth);
});

function execute<Row>(text: string, values: unknown[]): Promise<Row[]> {
  return app.db.query<Row>({ name: '', text, values });
}

async function folder(name = 'Personnel', is_open = false): Promise<string> {
  const { status, body, text } = await owner.post('/folders', { name, is_open });
  expect(status, text).toBe(200);
  return body.id;
}

async function letIn(id: string, role = 'editor', who = ruth): Promise<void> {
  expect((await owner.post(`/folders/${id}/members`, { member_id: who.id, role })).status).toBe(200);
}

const draft = (title = 'Payroll') => createDraft(app, company.key, { title, recipients: [ada] });
const move = (folder: string | null, ids: string[], by = owner) => by.post('/documents/move', { ids, folder });
const folderOf = async (id: string) => (await owner.get(`/documents/${id}`)).body.folder as string | null;

async function template(inFolder: string | null, by = owner): Promise<string> {
  const body = { title: 'Contract of employment', recipients: [{ name: 'Employee' }], folder: inFolder };
  const { status, body: made, text } = await by.post('/templates', body);
  expect(status, text).toBe(200);
  return made.id;
}

async function audited(): Promise<Array<{ action: string; text: string }>> {
  const { body } = await owner.get('/audit-log?limit=100');
  const entries = body.data as Array<{ action: string; text: string }>;
  return entries.filter(({ action }) => /^folder_|^document_moved/.test(action));
}

describe('managing folders', () => {
  test('a name is unique in the company without regard to case, width or marks that no one sees', async () => {
    const id = await folder('  Human   Resources ');
    expect((await owner.get('/folders')).body.data).toMatchObject([
      { id, name: 'Human Resources', is_open: false, can_edit: true },
    ]);
    for (const name of ['human resources', 'HUMAN RESOURCES', 'Ｈuman Resources', 'Human\u200B Resources']) {
      expect(refusal(await owner.post('/folders', { name, is_open: true })), name).toEqual([409, 'folder_exists']);
    }
    for (const name of ['', ' \t ', '\u200B', 'a\u0000b', '\ud800', 'abc\u202Efdp', 'x'.repeat(81), '👩'.repeat(81)]) {
      expect(refusal(await owner.post('/folders', { name, is_open: true })), name).toEqual([400, 'invalid_input']);
    }
    await folder('x'.repeat(80));
    await folder('👩'.repeat(80));
    const other = await folder('Legal');
    expect(refusal(await owner.post(`/folders/${other}/name`, { name: 'human resources' }))).toEqual([
      409,
      'folder_exists',
    ]);
    expect((await owner.post(`/folders/${id}/name`, { name: 'HUMAN Resources' })).body.name).toBe('HUMAN Resources');
    // Another company has names of its own, and a deleted folder gives its name back.
    const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'admin'));
    expect((await stranger.post('/folders', { name: 'Legal', is_open: true })).status).toBe(200);
    expect((await owner.call('DELETE', `/folders/${other}`)).status).toBe(200);
    await folder('Legal');
  });

  test('two requests at once make one folder of a name', async () => {
    const tries = [1, 2, 3].map(() => owner.post('/folders', { name: 'Legal', is_open: true }));
    expect((await Promise.all(tries)).map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test(`a company has at most ${foldersMax} folders`, async () => {
    await execute(
      `insert into folders (account_id, id, name, name_key, is_open, created_at)
       select $1, gen_random_uuid(), 'Folder ' || n, 'folder ' || n, false, now() from generate_series(1, $2::int) n`,
      [company.id, foldersMax - 1],
    );
    const id = await folder('The last');
    expect(refusal(await owner.post('/folders', { name: 'One more', is_open: true }))).toEqual([
      409,
      'too_many_folders',
    ]);
    expect((await owner.get('/folders')).body.data).toHaveLength(foldersMax);
    await owner.call('DELETE', `/folders/${id}`);
    await folder('One more');
  });

  test('a folder with documents or templates can’t be deleted, and a deleted template stays hidden', async () => {
    const id = await folder();
    const [document, used] = [await draft(), await template(id)];
    const bulk = await checkBulk(app, company, csv, { templateId: used });
    await move(id, [document]);
    const remove = () => owner.call('DELETE', `/folders/${id}`);
    expect(refusal(await remove())).toEqual([409, 'folder_not_empty']);
    await move(null, [document]);
    expect(refusal(await remove())).toEqual([409, 'folder_not_empty']);
    await owner.call('DELETE', `/templates/${used}`);
    expect((await remove()).status).toBe(200);
    expect((await owner.get('/folders')).body.data).toEqual([]);
    expect(refusal(await remove())).toEqual([404, 'not_found']);
    expect(refusal(await member.get(`/templates/${used}/bulk-sends/${bulk.id}/rows`))).toEqual([404, 'not_found']);
    expect((await owner.get(`/templates/${used}/bulk-sends/${bulk.id}/rows`)).status).toBe(200);
    expect(refusal(await move(id, [document]))).toEqual([404, 'not_found']);
    expect(refusal(await move(null, [used]))).toEqual([404, 'not_found']);
  });

  test('no document gets into a folder that is deleted at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [id, document] = [await folder(), await draft()];
      const [moved, removed] = await Promise.all([move(id, [document]), owner.call('DELETE', `/folders/${id}`)]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([moved.status, removed.status]);
      expect(await folderOf(document)).toBe(moved.status === 200 ? id : null);
      if (moved.status === 200) {
        await move(null, [document]);
        await owner.call('DELETE', `/folders/${id}`);
      }
    }
  });
});

describe('members of a folder', () => {
  test('are members of the company, and see no other folders', async () => {
    const [id, other] = [await folder('Personnel'), await folder('Legal')];
    expect((await member.get('/folders')).body.data).toEqual([]);
    await letIn(id, 'viewer');
    expect((await member.get('/folders')).body.data).toMatchObject([{ name: 'Personnel', can_edit: false }]);
    await letIn(id, 'editor', { ...ruth, id: ruth.id.toUpperCase() });
    expect((await member.get('/folders')).body.data).toMatchObject([{ name: 'Personnel', can_edit: true }]);
    expect((await owner.get(`/folders/${id}/members`)).body.data).toEqual([
      { id: ruth.id, email: ruth.email, role: 'editor' },
    ]);
    const admin = await addMember(app, company.id, 'admin');
    const stranger = await addMember(app, (await createCompany(app)).id, 'member');
    const add = (member_id: string) => owner.post(`/folders/${other}/members`, { member_id, role: 'viewer' });
    expect(refusal(await add(admin.id))).toEqual([409, 'refused']);
    expect(refusal(await add(stranger.id))).toEqual([404, 'not_found']);
    const removal = () => owner.call('DELETE', `/folders/${id}/members/${ruth.id}`);
    expect((await removal()).status).toBe(200);
    expect(refusal(await removal())).toEqual([404, 'not_found']);
    expect((await member.get('/folders')).body.data).toEqual([]);
  });

  test('are listed in pages', async () => {
    const id = await folder();
    for (let n = 0; n < 3; n++) await letIn(id, 'viewer', await addMember(app, company.id, 'member'));
    const first = (await owner.get(`/folders/${id}/members?limit=2`)).body;
    expect(first).toMatchObject({ has_more: true });
    const next = (await owner.get(`/folders/${id}/members?limit=2&starting_after=${first.next_cursor}`)).body;
    expect([first.data.length, next.data.length, next.has_more]).toEqual([2, 1, false]);
  });

  test('lose it with their place in the company, and by a change to admin and back', async () => {
    const id = await folder();
    await letIn(id);
    const roles = (role: string) => owner.post(`/members/${ruth.id}/role`, { role });
    await roles('admin');
    expect((await member.get('/folders')).body.data).toHaveLength(1);
    expect((await owner.get(`/folders/${id}/members`)).body.data).toEqual([]);
    await roles('member');
    expect((await member.get('/folders')).body.data).toEqual([]);
    await letIn(id);
    await owner.call('DELETE', `/members/${ruth.id}`);
    expect((await owner.get(`/folders/${id}/members`)).body.data).toEqual([]);
  });

  test('everyone is an editor of an open folder, until it is closed', async () => {
    const id = await folder('Sorted', true);
    const document = await draft();
    expect((await move(id, [document], member)).body).toEqual({ moved: 1 });
    expect((await member.post(`/documents/${document}/send`)).status).toBe(200);
    await owner.post(`/folders/${id}/open`, { is_open: false });
    expect(refusal(await member.get(`/documents/${document}`))).toEqual([404, 'not_found']);
    await owner.post(`/folders/${id}/open`, { is_open: true });
    expect((await member.get(`/documents/${document}`)).status).toBe(200);
  });

  test('the audit log names folders, members and moves, and the trail of a document does not', async () => {
    const id = await folder();
    const document = await draft();
    await letIn(id, 'viewer');
    await letIn(id, 'viewer'); // changes nothing
    await move(id, [document]);
    await move(id, [document]); // changes nothing
    await move(null, [document]);
    await owner.post(`/folders/${id}/name`, { name: 'People' });
    await owner.post(`/folders/${id}/open`, { is_open: true });
    await owner.post(`/folders/${id}/open`, { is_open: false });
    await owner.call('DELETE', `/folders/${id}/members/${ruth.id}`);
    await owner.call('DELETE', `/folders/${id}`);
    expect((await audited()).map(({ action }) => action).toReversed()).toEqual([
      'folder_created',
      'folder_member_set',
      'document_moved',
      'document_moved',
      'folder_renamed',
      'folder_opened',
      'folder_closed',
      'folder_member_removed',
      'folder_deleted',
    ]);
    const texts = (await audited()).map(({ text }) => text).join('\n');
    expect(texts).toContain(`Personnel → no folder, ${document}`);
    expect(texts).toContain(`Personnel, ${ruth.email}, viewer`);
    expect((await owner.get(`/documents/${document}/timeline`)).text).not.toContain('Personnel');
  });
});

describe('moving', () => {
  test('takes an editor of both folders, and moves all or nothing', async () => {
    const [mine, seen, other] = [await folder('Mine'), await folder('Seen'), await folder('Other')];
    await letIn(mine, 'editor');
    await letIn(seen, 'viewer');
    const [free, inSeen, inOther] = [await draft('Free'), await draft('Seen'), await draft('Hidden')];
    await move(seen, [inSeen]);
    await move(other, [inOther]);
    for (const [target, ids, expected] of [
      [seen, [free], [403, 'forbidden']],
      [other, [free], [404, 'not_found']],
      ['00000000-0000-7000-8000-000000000000', [free], [404, 'not_found']],
      ['none', [free], [404, 'not_found']],
      [mine, [free, inSeen], [403, 'forbidden']],
      [mine, [free, inOther], [404, 'not_found']],
      [mine, ['no-id'], [404, 'not_found']],
      [mine, [], [400, 'invalid_input']],
      [mine, Array(movedMax + 1).fill(free), [400, 'invalid_input']],
    ] as const) {
      expect([target, refusal(await move(target, [...ids], member))]).toEqual([target, expected]);
    }
    expect(await folderOf(free)).toBe(null);
    expect((await move(mine, Array(movedMax).fill(free), member)).body).toEqual({ moved: 1 });
    expect((await move(null, [free.toUpperCase()], member)).body).toEqual({ moved: 1 });
    expect((await move(mine, [free, inSeen, inOther])).body).toEqual({ moved: 3 });
    expect((await member.get(`/documents?folder=${mine}`)).body.data).toHaveLength(3);
    expect((await member.get('/documents?folder=none')).body.data).toEqual([]);
  });

  test('keeps the version and the time of the last change, and tells open pages', async () => {
    const [id, document] = [await folder(), await draft()];
    const before = (await owner.get(`/documents/${document}`)).body;
    await move(id, [document]);
    expect((await owner.get(`/documents/${document}`)).body).toEqual({ ...before, folder: id });
  });

  test('two moves at once of the same documents in another order both end', async () => {
    const [one, two] = [await folder('One'), await folder('Two')];
    const ids = await Promise.all(['a', 'b', 'c'].map(draft));
    const answers = await Promise.all([move(one, ids), move(two, ids.toReversed()), move(one, ids)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(await Promise.all(ids.map(folderOf))).size).toBe(1);
  });

  test('a document that the API creates or reads has no folder', async () => {
    const [id, document] = [await folder(), await draft()];
    expect(await folderOf(document)).toBe(null);
    await move(id, [document]);
    const { body } = await call(app, 'GET', `/documents/${document}`, { key: company.key });
    expect(Object.keys(body)).not.toContain('folder');
    expect((await call(app, 'POST', `/documents/${document}/send`, { key: company.key })).status).toBe(200);
  });
});

describe('what is made from a document stays in its folder', () => {
  test('new documents and templates, copies, mirrors and templates of a document', async () => {
    const id = await folder();
    await letIn(id);
    const made: string[] = [];
    const make = async (path: string, body: object = {}) => {
      const answer = await member.post(path, body);
      expect(answer.status, answer.text).toBe(200);
      made.push(answer.body.id);
      return answer.body.id as string;
    };
    const document = await make('/documents', { title: 'Payroll', recipients: [ada], folder: id });
    const source = await make('/templates', { title: 'Contract', recipients: [{ name: 'Employee' }], folder: id });
    await make(`/documents/${document}/copy`);
    await make(`/documents/${document}/mirror`);
    await make(`/documents/${document}/template`);
    await make(`/templates/${source}/use`, { version: 3, title: 'Contract of Ada', recipients: [ada] });
    for (const one of made) expect(await folderOf(one)).toBe(id);
    for (const folder of [id, id.toUpperCase()]) {
      expect((await member.get(`/templates?folder=${folder}`)).body.data).toHaveLength(2);
      expect((await member.get(`/documents?folder=${folder}`)).body.data).toHaveLength(4);
    }
    expect((await member.get('/templates?folder=none')).body.data).toEqual([]);
    await make('/documents', { title: 'Free', recipients: [ada] });
    expect(await folderOf(made.at(-1) ?? '')).toBe(null);
  });

  test('rows of a bulk send, whose documents a member sees where they are now', async () => {
    const id = await folder();
    const source = await template(null);
    const bulk = await checkBulk(app, company, csv, { templateId: source });
    await move(id, [source]);
    await letIn(id);
    const path = `/templates/${source}/bulk-sends/${bulk.id}`;
    expect((await member.post(`${path}/start`, { skip_faulty: false })).status).toBe(200);
    expect(await sendNextRow(app.world, app.db, await app.queue(), company.id, bulk.id)).toBe('sent');
    const [row] = (await member.get(`${path}/rows`)).body.data;
    expect(await folderOf(row.document_id)).toBe(id);
    await move(await folder('Other'), [row.document_id]);
    expect((await member.get(`${path}/rows`)).body.data).toMatchObject([{ document_id: null, cells: null }]);
    expect((await owner.get(`${path}/rows`)).body.data).toMatchObject([{ document_id: row.document_id }]);
  });

  test('documents of a public link, which acts for a member as long as they may edit there', async () => {
    const id = await folder();
    const source = await template(id);
    await letIn(id);
    const link = (await member.post(`/templates/${source}/links`, {})).body;
    const visitor = visitLink(app, { token: link.url.split('/').at(-1) });
    await visitor.post('verify', { code: await visitor.askCode('Grace', 'grace@example.com') });
    const documents = () => member.get(`/templates/${source}/links/${link.id}/documents`);
    const [made] = (await documents()).body.data;
    expect(made.folder).toBe(id);
    const other = await folder('Other');
    await move(other, [made.id]);
    expect((await documents()).body.data).toEqual([]);
    // The template is not named to those who see the document only.
    await letIn(other, 'viewer');
    await owner.call('DELETE', `/folders/${id}/members/${ruth.id}`);
    const seen = (await member.get(`/documents/${made.id}`)).body;
    expect([seen.public_link, seen.actions]).toEqual([null, []]);
    expect((await owner.get(`/documents/${made.id}`)).body.public_link).toMatchObject({ id: link.id });
    const state = async () => (await owner.get(`/templates/${source}/links/${link.id}`)).body.obstacle;
    expect(await state()).toBe('not_allowed');
    await letIn(id, 'viewer');
    expect(await state()).toBe('not_allowed');
    await letIn(id, 'editor');
    expect(await state()).toBe(null);
  });

  test('a mirror in another folder does not name the document that it waits for', async () => {
    const [id, document] = [await folder(), await draft('Secret')];
    const mirror = (await owner.post(`/documents/${document}/mirror`)).body.id;
    await move(id, [document]);
    const seen = (await member.get(`/documents/${mirror}`)).body;
    expect(seen.mirrors).toMatchObject({ id: null, title: null });
    await move(id, [mirror]);
    await move(null, [document]);
    expect((await member.get(`/documents/${document}`)).body.mirrored_by).toEqual([]);
    expect((await owner.get(`/documents/${document}`)).body.mirrored_by).toMatchObject([{ id: mirror }]);
  });

  test('the newest mirrors that a member sees are listed, also behind many that they do not see', async () => {
    const [id, document] = [await folder(), await draft()];
    const mirrors: string[] = [];
    for (let n = 0; n < 22; n++) mirrors.push((await owner.post(`/documents/${document}/mirror`)).body.id);
    await move(id, mirrors.slice(2));
    const seenBy = async (visitor: Visitor) => {
      const { mirrored_by } = (await visitor.get(`/documents/${document}`)).body;
      return mirrored_by.map(({ id }: { id: string }) => id);
    };
    expect(await seenBy(member)).toEqual([mirrors[1], mirrors[0]]);
    expect(await seenBy(owner)).toEqual(mirrors.slice(2).toReversed());
  });
});

describe('members who no longer see a document', () => {
  const deps = (directory: string) => ({
    world: app.world,
    mail: createMailbox({ dir: directory }).mail,
    origin: 'https://sign.example',
    isLastAttempt: false,
  });
  const job = async <Job>(name: string, id: string) => {
    const rows = await execute<{ data: Job }>(
      `select data from jobs.job where name = $1 and data->>'documentId' = $2 order by created_on desc limit 1`,
      [name, id],
    );
    return rows[0]?.data as Job;
  };

  test('send no document that they scheduled, and get an e-mail that does not name it', async () => {
    const [id, document] = [await folder(), await draft('Severance of Bob')];
    const { version } = (await member.get(`/documents/${document}`)).body;
    const send_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    expect((await member.post(`/documents/${document}/schedule`, { version, send_at })).status).toBe(200);
    await move(id, [document]);
    await letIn(id, 'viewer');
    app.clock.advance({ minutes: 61 });
    expect(await sendScheduled(app.world, app.db, await app.queue())).toBe(0);
    expect((await owner.get(`/documents/${document}`)).body.schedule.failure).toBe('not_allowed');
    const mailbox = join(app.dataDir, `mailbox-${document}`);
    const notice = await job<ScheduleJob>('tell-of-schedule', document);
    await sendScheduleNotice(app.db, deps(mailbox), notice);
    const [named] = await listMailbox(mailbox, { to: ruth.email });
    expect(named?.subject).toContain('Severance of Bob');
    expect(named?.text).toContain('An owner or admin can send it.');
    await owner.call('DELETE', `/folders/${id}/members/${ruth.id}`);
    await sendScheduleNotice(app.db, deps(mailbox), { ...notice, messageId: app.world.newId() });
    const mails = await listMailbox(mailbox, { to: ruth.email });
    const unnamed = mails.find(({ subject }) => !subject?.includes('Severance'));
    expect(unnamed?.subject).toContain('a document that you no longer see');
    expect(unnamed?.links.join(' ')).not.toContain(document);
    expect(unnamed?.text).toContain('An owner or admin can send it.');
    expect(unnamed?.text).not.toContain('Open it');
    await move(null, [document]);
    await sendScheduleNotice(app.db, deps(mailbox), { ...notice, messageId: app.world.newId() });
    const texts = (await listMailbox(mailbox, { to: ruth.email })).map(({ text }) => text);
    expect(texts.filter((text) => text?.includes('Open it to send it'))).toHaveLength(1);
  });

  test('are not told that it was completed', async () => {
    const [id, document] = [await folder(), await draft('Severance of Bob')];
    await member.post(`/documents/${document}/send`);
    await execute(`update documents set status = 'completed', completed_at = now() where id = $1`, [document]);
    const [recipient] = await listRecipients(app.db, company.id, document);
    const notice = { account_id: company.id, document_id: document, kind: 'sender_completed', recipient_id: null };
    const links = { origin: 'https://sign.example', unsubscribeLinks: createUnsubscribeLinks(Buffer.alloc(32), null) };
    const written = () => writeNotice(app.db, { ...notice, about: recipient } as never, links);
    expect(await written()).toMatchObject({ to: { address: ruth.email } });
    await move(id, [document]);
    expect(await written()).toBe(null);
    await letIn(id, 'viewer');
    expect(await written()).toMatchObject({ to: { address: ruth.email } });
  });

  test('are not told that it was returned from review', async () => {
    const [id, document] = [await folder(), await draft('Severance of Bob')];
    await member.post(`/documents/${document}/review`);
    await owner.post(`/documents/${document}/return`, { note: 'Too high' });
    const notice = await job<ReviewJob>('tell-of-review', document);
    await move(id, [document]);
    const mailbox = join(app.dataDir, `mailbox-${document}`);
    await sendReviewNotice(app.db, deps(mailbox), notice);
    expect(await listMailbox(mailbox, { to: ruth.email })).toEqual([]);
    await letIn(id, 'viewer');
    await sendReviewNotice(app.db, deps(mailbox), notice);
    expect(await listMailbox(mailbox, { to: ruth.email })).toHaveLength(1);
  });

  test('find the older documents behind many that they do not see', async () => {
    const [id, visible] = [await folder(), await draft('Needle')];
    app.clock.advance({ minutes: 1 });
    const hidden = await createSent(app, company.key, {
      title: 'Straw',
      recipients: [{ name: 'Hidden', email: 'h@h.example' }],
    });
    await move(id, [hidden]);
    await insertMany(
      app.db,
      21_000,
      `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
         created_at, updated_at, sent_at, sent_mode, audit_seq, audit_hash, folder_id)
       select overlay(d.id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, account_id, type,
         case when n % 2 = 0 then 'draft' else 'sent' end, title, primary_language, sign_order_mode, 0, created_at,
         updated_at, sent_at, sent_mode, 1, audit_hash, folder_id
       from documents d, generate_series($1::int, $2::int) n where d.id = $3`,
      [hidden],
    );
    const pages = [];
    for (let after = ''; ; ) {
      const { body } = await member.get(`/documents?limit=20${after}`);
      pages.push(body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) break;
      after = `&starting_after=${body.next_cursor}`;
    }
    expect(pages).toEqual([[], [], [visible]]);
    const year = app.clock.now().toISOString().slice(0, 5);
    for (const sort of ['newest', 'oldest', 'changed', 'title']) {
      const { next_cursor: cursor } = (await member.get(`/documents?sort=${sort}`)).body;
      const parts = (cursor as string).split('.').map((part) => Buffer.from(part, 'base64url'));
      const read = parts.flatMap((part) => [part.toString('latin1').toLowerCase(), part.toString('hex')]).join(' ');
      // The ids of the hidden documents differ in their last digits only.
      for (const secret of ['straw', hidden.slice(0, 24), hidden.slice(0, 24).replaceAll('-', ''), year]) {
        expect(read, sort).not.toContain(secret);
      }
    }
    const { statuses } = (await member.get('/documents/counts')).body;
    expect(statuses).toMatchObject({ draft: { count: 0, is_more: true }, sent: { count: 0, is_more: true } });
    expect((await owner.get('/documents/counts')).body.statuses.draft).toEqual({ count: 1000, is_more: true });
    expect((await owner.get(`/documents?folder=${id}&limit=20`)).body.data).toHaveLength(20);
    expect((await owner.get(`/documents/counts?folder=${id}`)).body.statuses.draft).toEqual({
      count: 1000,
      is_more: true,
    });
    expect((await member.get('/contacts?q=hid')).body.data).toEqual([]);
    expect((await member.get('/documents/senders')).body.data).toEqual([]);
  });
});
