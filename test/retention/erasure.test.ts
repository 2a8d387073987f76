import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMember } from '../../src/accounts/members.ts';
import { cancelBulkSend } from '../../src/bulk-send/bulk-send.ts';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { fileKey } from '../../src/documents/stored-files.ts';
import { finishErasures, requestErasure } from '../../src/erasure/erase-account.ts';
import { ensurePerson } from '../../src/identity/people.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import { type Delivery, deliverMessage } from '../../src/signing/deliver-message.ts';
import { type CodeDelivery, sendCode } from '../../src/signing/send-code.ts';
import { createCodeHasher } from '../../src/signing/verification-code.ts';
import { createRequestLog } from '../../src/usage/request-log.ts';
import { bin, type Place, placeOn } from '../cli/countersign.ts';
import { openLinkOf, signature, withCode } from '../signing/signer.ts';
import { attachPdf } from '../support/attach.ts';
import { bulkRows, checkBulk, startBulk } from '../support/bulk-send.ts';
import { ownConnection } from '../support/own-connection.ts';
import { createPublicLink, visitLink } from '../support/public-link.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
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
import { createEndpoint, settledDeliveries } from '../support/webhooks.ts';
import { postPdf, sealedDocument } from '../verify/sealed.ts';

let app: TestService;
let receiver: Receiver;

const env = { WEBHOOK_ALLOW_PRIVATE: 'true', RETAIN_REMOVED_FILES_DAYS: '5' };

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestService({ env }), startReceiver()]);
});

afterAll(async () => {
  await Promise.all([app?.stop(), receiver?.stop()]);
});

const commandLine = (of = app) => placeOn({ DATABASE_URL: of.databaseUrl, DATA_DIR: of.dataDir, ...env });

function sql<Row = { n: number }>(text: string, values: unknown[] = [], of = app): Promise<Row[]> {
  return of.db.query<Row>({ name: '', text, values });
}

const count = async (from: string, values: unknown[] = [], of = app) =>
  (await sql(`select count(*)::int as n from ${from}`, values, of))[0]?.n ?? -1;

/** Returns the tables that have a text anywhere in a row. */
async function tablesWith(text: string, of = app): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
    [],
    of,
  );
  const found = [];
  for (const { name } of tables) {
    if ((await count(`${name} t where t::text ilike '%' || $1 || '%'`, [text], of)) > 0) found.push(name);
  }
  return found;
}

/** Starts another process later. Its scheduled jobs run at once. Waits until `holds`. */
async function later(days: number, holds: () => Promise<boolean>): Promise<void> {
  app.clock.advance({ days });
  const other = await startTestService({
    env: { ...env, DATA_DIR: app.dataDir },
    databaseUrl: app.databaseUrl,
    clock: app.clock,
  });
  try {
    await eventually(holds, (held) => held);
  } finally {
    await other.stop();
  }
}

const pathOf = (sha256: string) => join(app.dataDir, 'files', fileKey(sha256));

/** Does `work` while another transaction has locked a document. */
async function whileLocked<Result>(documentId: string, work: () => Promise<Result>): Promise<Result> {
  await using holder = await ownConnection(app.databaseUrl);
  await holder.query('begin');
  await holder.query('select from documents where id = $1 for update', [documentId]);
  const result = await work();
  await holder.query('rollback');
  return result;
}

/** Runs a command until it waits for a locked document and `holds`, and kills it. */
function killWhileLocked(documentId: string, args: string[], holds: () => Promise<boolean>): Promise<void> {
  return whileLocked(documentId, async () => {
    const settings = { PATH: process.env.PATH ?? '', DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, ...env };
    const child = spawn(bin, args, { env: settings, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await eventually(holds, (held) => held);
    child.kill('SIGKILL');
    await ended;
  });
}

/** Adds what the first recipient of a document wrote to the sender. */
async function comment(company: Company, documentId: string, text: string): Promise<void> {
  await sql(
    `insert into recipient_comments (account_id, document_id, id, recipient_id, holder, at, name, text)
     select $1, $2, $3, id, holder, $4, display_name, $5 from recipients where document_id = $2 order by position limit 1`,
    [company.id, documentId, app.world.newId(), app.clock.now(), text],
  );
}

async function sealedHash(id: string): Promise<string> {
  const [row] = await sql<{ hex: string }>(
    `select encode(sha256, 'hex') as hex from sealed_files where document_id = $1`,
    [id],
  );
  return row?.hex ?? '';
}

test('a person is erased from documents, and the trail can still be checked', async () => {
  const company = await createCompany(app);
  const { id, pdf } = await sealedDocument(app, company, 'erased.example');
  const hash = await sealedHash(id);
  const open = await createSent(app, company.key, { recipients: [{ name: 'Ada L.', email: 'ADA@erased.example' }] });
  await createSent(app, company.key, { recipients: [{ name: 'Ada King', email: 'ada@other.example' }] });
  await comment(company, open, 'I am Ada Lovelace, ada@erased.example');
  await eventually(
    () => count(`messages where status = 'pending'`),
    (pending) => pending === 0,
  );
  const at = commandLine();
  const erase = ['recipient', 'erase', '--email', 'ada@erased.example', '--files', 'delete', '--account', company.id];
  writeFileSync(join(at.cwd, 'kept.pdf'), pdf);

  expect(await at.fails(1, ...erase, '--confirm')).toContain(open);
  await at.json('document', 'void', open, '--reason', 'Not needed');
  expect(await at.json(...erase)).toMatchObject({ erased: false, recipients: 2, documents: 2 });
  expect(await tablesWith('ada@erased.example')).not.toEqual([]);
  // Killed between two documents, and run again.
  const erased = `recipients where display_name = 'Erased person'`;
  await killWhileLocked(open, [...erase, '--confirm'], async () => (await count(erased)) === 1);
  expect(await at.run('document', 'audit', id)).toMatchObject({ code: 0 });
  expect(await at.json(...erase, '--confirm')).toMatchObject({ erased: true, recipients: 1, documents: 1, files: 0 });

  for (const text of ['ada@erased.example', 'Ada Lovelace', 'Ada L.']) expect(await tablesWith(text)).toEqual([]);
  const [row] = await sql<Record<string, unknown>>(
    `select signature_name, signed_ip, signed_user_agent, signature_png, email from recipients
     where document_id = $1 and display_name = 'Erased person'`,
    [id],
  );
  expect(row).toEqual({
    signature_name: 'Erased person',
    signed_ip: null,
    signed_user_agent: null,
    signature_png: null,
    email: null,
  });
  expect(await sql('select name, text from recipient_comments where document_id = $1', [open])).toEqual([
    { name: null, text: null },
  ]);
  expect(await tablesWith('bo@erased.example')).toContain('recipients');
  expect(await at.json('mailbox', 'list', '--to', 'ada@erased.example')).toEqual([]);
  expect((await call(app, 'GET', `/documents/${id}/download`, { key: company.key })).status).not.toBe(200);
  const bo = await openLinkOf(app, company, id, 'Bo Approver');
  expect((await bo.page()).text).toContain('The sealed PDF was erased');

  // The trail keeps its hashes, and shows what was erased.
  const trail = await entriesOf(at, id);
  const signed = trail.find(({ action }) => action === 'signed');
  expect(signed?.erased_at).toBeDefined();
  expect(Object.keys(signed?.detail ?? {})).not.toContain('ip');
  expect(signed?.detail.auth_level).toBeDefined();
  expect(trail.find(({ action }) => action === 'approved')?.detail.ip).toBeDefined();
  expect(trail.at(-1)?.action).toBe('personal_data_erased');
  // Attestations have the hash of the entry and nothing of the person, so they stay.
  const attested = trail.filter(({ action }) => action === 'attested');
  expect(attested.map(({ erased_at, detail }) => [erased_at, detail.entry_hash])).toEqual(
    trail.filter(({ action }) => action === 'signed' || action === 'approved').map(({ hash }) => [undefined, hash]),
  );
  expect(await count('attestations where document_id = $1 and cms is not null', [id])).toBe(2);
  // A copy that someone kept is genuine.
  expect(await at.json('verify', 'kept.pdf')).toMatchObject({ verdict: 'valid' });
  expect((await postPdf(app, pdf)).body.findings.map((found: { id: string }) => found.id)).toContain('recorded_here');
  expect(await at.fails(1, 'document', 'download', id, '--out', 'none.pdf')).toContain('was erased');

  // Again: nothing is left to erase.
  expect(await at.json(...erase, '--confirm')).toMatchObject({ recipients: 0, documents: 0 });
  expect(await tablesWith('ada@other.example')).toContain('recipients');

  await expectTamperingFound(at, id);
  expect(existsSync(pathOf(hash))).toBe(true);
  await later(400, async () => !existsSync(pathOf(hash)));
});

test.each([
  {
    option: '--email',
    former: { name: 'Ida Former', email: 'ida@former.example' },
    typed: 'IDA@former.example',
    stored: 'ida@former.example',
  },
  {
    option: '--phone',
    former: { name: 'Sam Former', phone: '+1 (555) 010-9931', channel: 'sms' },
    typed: '001 555 010 9931',
    stored: '+15550109931',
  },
])('someone who was replaced is erased by $option, and not the person who signed', async (one) => {
  const { option, former, typed, stored } = one;
  const company = await createCompany(app);
  const at = commandLine();
  const id = await createSent(app, company.key, { recipients: [former] });
  const signer = await openLinkOf(app, company, id, former.name);
  expect((await signer.post('viewed')).status).toBe(200);
  await eventually(
    () => count(`messages where address = $1 and status = 'accepted'`, [stored]),
    (accepted) => accepted === 1,
  );
  const successor = { name: 'Nora Next', email: 'nora@former.example', phone: '+41 79 555 01 02' };
  const next = ['--name', successor.name, '--email', successor.email, '--phone', successor.phone];
  await at.json('document', 'reassign', id, '--recipient', signer.recipientId, ...next);
  const erase = ['recipient', 'erase', option, typed, '--files', 'keep', '--confirm'];
  expect(await at.fails(1, ...erase)).toContain(id);
  const nora = await openLinkOf(app, company, id, successor.name);
  expect((await nora.post('sign', signature)).status).toBe(200);
  await eventually(
    () => count('documents where id = $1 and sealed_file is not null', [id]),
    (sealed) => sealed === 1,
  );

  const before = await entriesOf(at, id);
  expect(before.filter(({ detail }) => detail.name === former.name || detail.from === former.name)).not.toEqual([]);
  expect(await at.json(...erase)).toMatchObject({ erased: true, recipients: 1, documents: 1 });
  for (const text of [former.name, stored]) expect(await tablesWith(text)).toEqual([]);
  expect(await tablesWith(successor.name)).toEqual(expect.arrayContaining(['audit_entries', 'recipients']));
  expect(await tablesWith(successor.email)).toEqual(expect.arrayContaining(['recipients']));
  const erased = (await entriesOf(at, id)).filter((entry) => entry.erased_at !== undefined);
  expect(erased.map(({ action }) => action)).toEqual(['requested', 'viewed', 'reassigned']);
  for (const { detail } of erased) expect(detail).not.toHaveProperty('ip');
  expect((await entriesOf(at, id)).find(({ action }) => action === 'signed')?.detail.ip).toBeDefined();
  expect(await at.json(...erase)).toMatchObject({ recipients: 0, documents: 0 });
});

test('the local mailbox keeps what other companies have sent', async () => {
  const [company, other] = [await createCompany(app), await createCompany(app)];
  const at = commandLine();
  const sent: string[] = [];
  for (const { key } of [company, other]) {
    const recipients = [{ name: 'Ada', email: 'ada@both.example' }];
    sent.push(await createSent(app, key, { title: `From ${sent.length}`, recipients }));
  }
  const titles = async () => {
    const messages = await at.json<Array<{ text: string }>>('mailbox', 'list', '--to', 'ada@both.example');
    return messages.map(({ text }) => /From \d/.exec(text)?.[0]).toSorted();
  };
  await eventually(titles, (found) => found.length === 2);
  await at.json('document', 'void', sent[0] as string, '--reason', 'Not needed');
  await eventually(titles, (found) => found.length === 3);

  const erase = ['recipient', 'erase', '--email', 'ada@both.example', '--files', 'keep', '--account', company.id];
  expect(await at.json(...erase)).toMatchObject({ mailbox_messages: 2 });
  expect(await at.json(...erase, '--confirm')).toMatchObject({ mailbox_messages: 2 });
  expect(await titles()).toEqual(['From 1']);

  await at.json('account', 'remove', other.id);
  await at.json('account', 'erase', other.id, '--confirm', 'Acme Builders');
  expect(await titles()).toEqual([]);
});

test('rows of bulk sends that name the person and were not sent are emptied, and the other rows are sent', async () => {
  // Its worker would send the rows meanwhile.
  const quiet = await startTestService({ env: { ...env, ROLE: 'web' } });
  onTestFinished(() => quiet.stop());
  const company = await createCompany(quiet);
  const idle: JobQueue = { enqueue: async () => {} };
  const csv = 'Tenant name,Tenant email\nRow Person,ROW@bulk.example\nOther,other@bulk.example\n';
  const checked = await checkBulk(quiet, company, csv);
  const running = await startBulk(quiet, company, idle, csv);
  const cancelled = await startBulk(quiet, company, idle, csv);
  await quiet.db.transaction((tx) => cancelBulkSend(quiet.world, tx, company.id, cancelled.id));

  const at = commandLine(quiet);
  const erase = ['recipient', 'erase', '--email', 'row@bulk.example', '--files', 'keep'];
  expect(await at.json(...erase)).toMatchObject({ erased: false, bulk_send_rows: 3 });
  expect(await at.json(...erase, '--confirm')).toMatchObject({ erased: true, bulk_send_rows: 3 });
  for (const text of ['row@bulk.example', 'Row Person']) expect(await tablesWith(text, quiet)).toEqual([]);
  const statuses = async (id: string) => (await bulkRows(quiet, id)).map(({ status }) => status);
  expect(await statuses(checked.id)).toEqual(['faulty', 'ready']);
  expect(await statuses(cancelled.id)).toEqual(['failed', 'ready']);
  while ((await sendNextRow(quiet.world, quiet.db, idle, company.id, running.id)) !== 'ended');
  expect(await statuses(running.id)).toEqual(['failed', 'sent']);
  expect((await bulkRows(quiet, running.id))[0]?.faults).toMatchObject([{ code: 'person_erased' }]);
  expect(await at.json(...erase, '--confirm')).toMatchObject({ bulk_send_rows: 0 });
});

interface TrailEntry {
  action: string;
  hash: string;
  erased_at?: string;
  detail: Record<string, unknown>;
}

const entriesOf = (at: Place, id: string) => at.json<TrailEntry[]>('document', 'audit', id);

/** Anyone who can switch off the trigger can change rows, and the chain shows it. */
async function expectTamperingFound(at: Place, id: string): Promise<void> {
  const changes = [
    `update audit_entries set action = 'viewed' where document_id = '${id}' and action = 'signed' and erased_at is not null`,
    `update audit_entries set detail = '{}' where document_id = '${id}' and action = 'signed' and erased_at is not null`,
    `update audit_entries set erased_at = at, detail = '{}' where document_id = '${id}' and action = 'approved'`,
    `update audit_entries set detail = '{"entries":[]}' where document_id = '${id}' and action = 'personal_data_erased'`,
    `delete from audit_entries where document_id = '${id}' and action = 'signed' and erased_at is not null`,
  ];
  await using admin = await ownConnection(app.databaseUrl);
  await expect(admin.query(changes[0] ?? '')).rejects.toThrow('append-only');
  await admin.query(`set countersign.erasing = 'on'`);
  await expect(admin.query(changes[0] ?? '')).rejects.toThrow('append-only');
  for (const change of changes) {
    await admin.query('begin');
    await admin.query('alter table audit_entries disable trigger user');
    await admin.query('create table saved as select * from audit_entries');
    await admin.query(change);
    await admin.query('alter table audit_entries enable trigger user');
    await admin.query('commit');
    expect((await at.run('document', 'audit', id)).code, change).toBe(1);
    await admin.query('begin');
    await admin.query('alter table audit_entries disable trigger user');
    await admin.query('delete from audit_entries');
    await admin.query('insert into audit_entries select * from saved');
    await admin.query('alter table audit_entries enable trigger user');
    await admin.query('drop table saved');
    await admin.query('commit');
    expect((await at.run('document', 'audit', id)).code, change).toBe(0);
  }
}

test('a removed company is erased, also when the command was killed, and nobody else', async () => {
  const [company, bystander] = [await createCompany(app), await createCompany(app)];
  const kept = await sealedDocument(app, bystander, 'bystander.example');
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  const sealed = await sealedDocument(app, company, 'gone.example');
  const hash = await sealedHash(sealed.id);
  const draft = await createDraft(app, company.key);
  const attached = await attachPdf(app, company, draft);
  let last = draft;
  for (let made = 0; made < 60; made += 1) last = await createDraft(app, company.key);
  await addPeople(company, bystander);
  await comment(company, sealed.id, 'Call me at gone.example');
  await comment(bystander, kept.id, 'When?');
  for (const [accountId, documentId] of [
    [company.id, sealed.id],
    [bystander.id, kept.id],
  ]) {
    await sql(
      `insert into notices (id, account_id, document_id, kind, channel, status, created_at, settled_at)
       values ($1, $2, $3, 'sender_completed', 'email', 'accepted', $4, $4)`,
      [app.world.newId(), accountId, documentId, app.clock.now()],
    );
  }
  await settledDeliveries(app, endpoint.id, 4);
  await eventually(
    () => count('request_log where account_id = $1', [company.id]),
    (rows) => rows > 0,
  );

  const at = commandLine();
  const erase = ['account', 'erase', company.id, '--confirm'];
  expect(await at.fails(1, ...erase, 'Acme Builders')).toContain('remove it first');
  await at.json('account', 'remove', company.id);
  expect(await at.fails(1, ...erase, 'Acme')).toContain('not the name');

  const theirs = await leftOf(bystander.id);
  // Killed in the middle: a document of the second batch is locked.
  const documents = 'documents where account_id = $1';
  const before = await count(documents, [company.id]);
  await killWhileLocked(last, [...erase, 'Acme Builders'], async () => (await count(documents, [company.id])) < before);
  expect(await count(documents, [company.id])).toBeGreaterThan(0);
  expect(
    await count('accounts where id = $1 and erase_requested_at is not null and erased_at is null', [company.id]),
  ).toBe(1);

  await later(1, async () => (await count('accounts where id = $1 and erased_at is not null', [company.id])) === 1);
  expect(await leftOf(company.id)).toEqual([['account_audit_entries', 1]]);
  for (const text of ['gone.example', 'only-here@example.com']) expect(await tablesWith(text)).toEqual([]);
  expect(await tablesWith('in-both@example.com')).toEqual(['account_audit_entries', 'members', 'people']);
  expect(await at.json('account', 'show', company.id)).toMatchObject({ display_name: 'Erased company' });
  for (const name of ['Erased company', 'Acme Builders'])
    expect(await at.fails(1, ...erase, name)).toContain('erased already');

  // The other company has everything.
  expect(lasting(await leftOf(bystander.id))).toEqual(lasting(theirs));
  expect(await at.run('document', 'audit', kept.id)).toMatchObject({ code: 0 });
  expect((await call(app, 'GET', `/documents/${kept.id}/download`, { key: bystander.key })).status).toBe(200);
  await later(400, async () => !existsSync(pathOf(hash)) && !existsSync(pathOf(attached)));
  expect(existsSync(pathOf(await sealedHash(kept.id)))).toBe(true);
});

test('a worker that stops interrupts an erasure, and the next one continues it', async () => {
  const [company, other] = [await createCompany(app), await createCompany(app)];
  const drafts: string[] = [];
  while (drafts.length < 120) drafts.push(await createDraft(app, company.key));
  await commandLine().json('account', 'remove', company.id);
  await requestErasure(app.world, app.db, company.id);
  const left = () => count('documents where account_id = $1', [company.id]);

  // The second of three transactions waits for a document while the worker is told to stop.
  const worker = new AbortController();
  const { stopped } = await whileLocked(drafts[60] ?? '', async () => {
    const stopped = finishErasures(app.world, app.db, worker.signal);
    await eventually(
      () => count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      (waiting) => waiting > 0,
    );
    worker.abort();
    return { stopped };
  });
  await stopped;
  expect(await left()).toBe(20);

  await finishErasures(app.world, app.db, new AbortController().signal);
  expect(await leftOf(company.id)).toEqual([['account_audit_entries', 1]]);

  // A process that has noted requests before writes them now.
  const log = createRequestLog(app.world, app.db, () => {});
  for (const accountId of [company.id, other.id]) log.note({ ...answered, accountId });
  await log.flush();
  expect(await leftOf(company.id)).toEqual([['account_audit_entries', 1]]);
  expect(await count('usage_days where account_id = $1', [other.id])).toBe(1);
});

const answered = {
  keyId: '019cdd2e-8a31-7c55-9f0e-2f64c7a1b9d3',
  requestId: 'req_1',
  method: 'GET',
  url: '/api/v1/documents',
  status: 200,
  code: null,
  durationMs: 1,
  replayOf: null,
};

async function addPeople(company: Company, bystander: Company): Promise<void> {
  await app.db.transaction(async (tx) => {
    for (const [accountId, email] of [
      [company.id, 'only-here@example.com'],
      [company.id, 'in-both@example.com'],
      [bystander.id, 'in-both@example.com'],
    ] as const) {
      await createMember(app.world, tx, { accountId, email, role: 'owner' }, null);
      await ensurePerson(app.world, tx, email);
    }
  });
}

/** Without the tables whose rows are removed when they are old, and the storage that a worker measures meanwhile. */
function lasting(tables: Array<[string, number]>): Array<[string, number]> {
  return tables.filter(([name]) => !['idempotency_records', 'request_log', 'account_storage'].includes(name));
}

/** Returns every table that names an account and has rows of this one. */
async function leftOf(accountId: string): Promise<Array<[string, number]>> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' order by table_name`,
  );
  const left: Array<[string, number]> = [];
  for (const { name } of tables) {
    const rows = await count(`${name} where account_id = $1`, [accountId]);
    if (rows > 0) left.push([name, rows]);
  }
  return left;
}

test('someone who signs in is erased from every company', async () => {
  const company = await createCompany(app);
  const at = commandLine();
  const member = await at.json<{ id: string }>(
    ...[
      'user',
      'create',
      '--account',
      company.id,
      '--email',
      'eve@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse 1 battery',
    ],
  );
  const erase = ['user', 'erase', '--email', 'EVE@example.com'];
  expect(await at.fails(1, ...erase, '--confirm')).toContain('needs an owner');
  await at.json('user', 'create', '--account', company.id, '--email', 'mia@example.com', '--role', 'owner');
  expect(await at.json(...erase)).toMatchObject({ erased: false, companies: 1 });
  expect(await tablesWith('eve@example.com')).toContain('people');
  expect(await at.json(...erase, '--confirm')).toMatchObject({ erased: true, companies: 1 });
  expect(await tablesWith('eve@example.com')).toEqual([]);
  expect(await count('members where id = $1', [member.id])).toBe(0);
  expect(await at.fails(1, ...erase, '--confirm')).toContain('nobody signs in');
  expect(await tablesWith('mia@example.com')).toEqual(['account_audit_entries', 'members', 'people']);
});

test('people who only signed in as recipients, or were removed, are erased too', async () => {
  const [company, other] = [await createCompany(app), await createCompany(app)];
  const at = commandLine();
  const askForLink = async (from: Company, name: string, email: string) => {
    const id = await createSent(app, from.key, { recipients: [{ name, email, auth_level: 'l0_account_session' }] });
    expect((await (await openLinkOf(app, from, id, name)).post('account')).status).toBe(200);
    await at.json('document', 'void', id, '--reason', 'Not needed');
  };
  await askForLink(company, 'Sam Session', 'sam@session.example');
  await askForLink(company, 'Tess Session', 'tess@session.example');
  await askForLink(other, 'Tess Session', 'TESS@session.example');
  for (const [role, email] of [
    ['owner', 'ona@session.example'],
    ['member', 'rolf@session.example'],
  ] as const) {
    const member = ['user', 'create', '--account', company.id, '--email', email, '--role', role];
    const { id } = await at.json<{ id: string }>(...member);
    if (role === 'member') await at.json('user', 'remove', id);
  }
  const settled = () => count(`messages where status = 'pending'`);
  await eventually(settled, (pending) => pending === 0);

  const erase = (email: string) => ['recipient', 'erase', '--email', email, '--files', 'keep'];
  const here = ['--account', company.id, '--confirm'];
  expect(await at.json(...erase('sam@session.example'), ...here)).toMatchObject({ recipients: 1, people: 0 });
  expect(await tablesWith('sam@session.example')).toEqual(['people']);
  expect(await at.json(...erase('sam@session.example'))).toMatchObject({ erased: false, people: 1 });
  expect(await at.json(...erase('sam@session.example'), '--confirm')).toMatchObject({ erased: true, people: 1 });
  expect(await tablesWith('sam@session.example')).toEqual([]);
  const member = await at.run(...erase('ona@session.example'), '--confirm');
  expect(member).toMatchObject({ code: 0, stderr: expect.stringContaining('run user erase too') });

  const eraseCompany = async ({ id }: Company) => {
    await at.json('account', 'remove', id);
    return at.json('account', 'erase', id, '--confirm', 'Acme Builders');
  };
  expect(await eraseCompany(company)).toMatchObject({ people: 2 });
  for (const email of ['ona@session.example', 'rolf@session.example']) expect(await tablesWith(email)).toEqual([]);
  expect(await tablesWith('tess@session.example')).toContain('people');
  expect(await eraseCompany(other)).toMatchObject({ people: 1 });
  expect(await tablesWith('tess@session.example')).toEqual([]);
});

test('a visitor of a public link who has not entered the code is erased, and the code makes no document', async () => {
  const company = await createCompany(app);
  const visitor = visitLink(app, await createPublicLink(app, company));
  const code = await visitor.askCode('Vera Visitor', 'vera@visit.example');
  const at = commandLine();
  const erase = ['recipient', 'erase', '--email', 'VERA@visit.example', '--files', 'delete', '--account', company.id];
  expect(await at.json(...erase)).toMatchObject({ erased: false, public_link_visits: 1 });
  expect(await at.json(...erase, '--confirm')).toMatchObject({ erased: true, public_link_visits: 1 });
  await visitor.post('verify', { code });
  for (const text of ['vera@visit.example', 'Vera Visitor']) expect(await tablesWith(text)).toEqual([]);
});

test.each([
  { option: '--email', typed: 'cleo@mailbox.example', phone: '+1 (555) 010-7701' },
  { option: '--phone', typed: '+1 (555) 010-7702', phone: '+1 (555) 010-7702' },
])('erasing someone by $option removes their e-mails and their SMS from the local mailbox', async (one) => {
  const company = await createCompany(app);
  const recipient = { ...withCode, email: 'cleo@mailbox.example', phone: one.phone };
  const id = await createSent(app, company.key, { recipients: [recipient] });
  const signer = await openLinkOf(app, company, id, recipient.name);
  await signer.sendCode();
  const at = commandLine();
  await at.json('document', 'void', id, '--reason', 'Not needed');
  const left = async () => {
    const of = (to: string) => at.json<unknown[]>('mailbox', 'list', '--to', to);
    return [(await of(recipient.email)).length, (await of(recipient.phone)).length];
  };
  await eventually(left, ([emails, sms]) => emails === 2 && sms === 1);
  const erase = ['recipient', 'erase', one.option, one.typed, '--files', 'keep', '--account', company.id];
  expect(await at.json(...erase)).toMatchObject({ mailbox_messages: 3 });
  expect(await at.json(...erase, '--confirm')).toMatchObject({ mailbox_messages: 3 });
  expect(await left()).toEqual([0, 0]);
});

test('a message that waits for the mail server is not sent to an erased person', async () => {
  const company = await createCompany(app);
  const at = commandLine();
  const id = await createSent(app, company.key, {
    recipients: [{ name: 'Pia Pending', email: 'pia@pending.example' }],
  });
  await at.json('document', 'void', id, '--reason', 'Not needed');
  const message = app.world.newId();
  await sql(
    `insert into messages (id, account_id, document_id, recipient_id, holder, kind, channel, step, status, created_at)
     select $1, account_id, document_id, id, holder, 'completed_copy', 'email', 0, 'pending', $2
     from recipients where document_id = $3`,
    [message, app.clock.now(), id],
  );
  await at.json('recipient', 'erase', '--email', 'pia@pending.example', '--files', 'keep', '--confirm');
  const status = async () =>
    (await sql<{ status: string }>('select status from messages where id = $1', [message]))[0]?.status;
  expect(await status()).toBe('cancelled');

  // Also one that became pending afterwards.
  await sql(`update messages set status = 'pending', settled_at = null where id = $1`, [message]);
  await deliverMessage(app.world, app.db, { enqueue: async () => {} }, {} as Delivery, message, false);
  expect(await status()).toBe('cancelled');
  expect(await count('signing_links l join recipients r on r.id = l.recipient_id where document_id = $1', [id])).toBe(
    0,
  );
  expect((await entriesOf(at, id)).at(-1)?.action).toBe('personal_data_erased');
});

test('someone who was replaced while a code was sent to them is erased from the trail', async () => {
  const company = await createCompany(app);
  const at = commandLine();
  const recipient = { ...withCode, name: 'Olga Old', email: 'olga@replaced.example', phone: '+1 (555) 010-7711' };
  const id = await createSent(app, company.key, { recipients: [recipient] });
  const { link, recipientId } = await openLinkOf(app, company, id, recipient.name);
  await eventually(
    () => count(`messages where address = $1 and status = 'accepted'`, [recipient.email]),
    (accepted) => accepted === 1,
  );
  const next = ['--name', 'Nina New', '--email', 'nina@replaced.example', '--phone', '+1 (555) 010-7712'];
  const { origin, pathname } = new URL(link);
  const delivery: CodeDelivery = {
    sms: {
      send: async () => {
        await at.json('document', 'reassign', id, '--recipient', recipientId, ...next);
        return { kind: 'accepted', providerId: null };
      },
    },
    hasher: createCodeHasher(randomBytes(32)),
    origin: () => origin,
    onOutcome: () => {},
  };
  const access = { token: pathname.slice('/sign/'.length), cookies: undefined, origin };
  await sendCode(app.world, app.db, delivery, access, { ip: '203.0.113.9', userAgent: 'OldPhone/1' });
  await at.json('document', 'void', id, '--reason', 'Not needed');
  const erase = ['recipient', 'erase', '--email', recipient.email, '--files', 'keep', '--confirm'];
  expect(await at.json(...erase)).toMatchObject({ recipients: 1 });
  for (const text of ['Olga Old', 'OldPhone/1']) expect(await tablesWith(text)).toEqual([]);
});
