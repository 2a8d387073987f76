import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { placeOn } from '../cli/countersign.ts';
import { aPdf } from '../imports/a-pdf.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectReconciled, fill, finished, migrate, startMigration } from './migrate.ts';
import { connectCompany } from './vendor/connect-company.ts';
import { type AnEnvelope, anEnvelope, listed, vendorTime } from './vendor/envelope.ts';
import { refuse } from './vendor/envelopes.ts';
import { startVendor, type Vendor } from './vendor/vendor.ts';

/** Vendor imports through the API, from a stand-in for DocuSign. */
let vendor: Vendor;
let app: TestService;

beforeAll(async () => {
  vendor = await startVendor();
  app = await startTestService({ env: vendor.env });
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

/** Creates a company that is connected to a vendor without envelopes. */
async function connected(): Promise<Company> {
  const company = await createCompany(app);
  await connectCompany(app, company.id);
  vendor.api.reset();
  return company;
}

/** A handler that has answered. */
const answering = (answer: (response: ServerResponse) => void) => (response: ServerResponse) => {
  answer(response);
  return true;
};

const shown = async ({ key }: Company, id: string) => (await call(app, 'GET', `/imports/${id}`, { key })).body;
const items = async ({ key }: Company, id: string) =>
  (await call(app, 'GET', `/imports/${id}/items?limit=100`, { key })).body.data;
const documents = async ({ key }: Company) => (await call(app, 'GET', '/documents?limit=100', { key })).body.data;
const rows = <Row>(text: string, values: unknown[]) => app.db.query<Row>({ name: '', text, values });

test('it answers at once with every count at zero, and each envelope becomes one completed document', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 120);
  const started = await startMigration(app, company);
  expect([started.status, started.body]).toEqual([
    201,
    {
      object: 'import',
      id: expect.any(String),
      source: 'esign_vendor',
      status: 'running',
      total_files: 0,
      filed: 0,
      failed: 0,
      remaining: 0,
      created_at: app.clock.now().toISOString(),
      finished_at: null,
    },
  ]);
  const end = await finished(app, company, started.body.id);
  expect(end).toMatchObject({ total_files: 120, filed: 120, failed: 0, remaining: 0 });
  await expectReconciled(app, company.id, envelopes);
  expect([...vendor.api.downloads.values()].every((times) => times === 1)).toBe(true);
});

test('a document has the subject, the dates, the recipients and the PDF of its envelope, and an intact trail', async () => {
  const company = await connected();
  const [envelope] = fill(vendor.api, 1) as [ReturnType<typeof anEnvelope>];
  const { id } = await migrate(app, company);
  const [document] = await documents(company);
  const at = (minutesBefore: number) => new Date(envelope.completedAt - minutesBefore * 60_000).toISOString();
  expect(document).toMatchObject({
    type: 'other',
    status: 'completed',
    title: envelope.subject,
    recipient_count: 3,
    sent_at: at(80),
    completed_at: at(0),
    voided_at: null,
    created_at: app.clock.now().toISOString(),
  });
  const { body } = await call(app, 'GET', `/documents/${document.id}/recipients`, { key: company.key });
  const shown = body.data.map((one: Record<string, unknown>) => [
    one.sign_order,
    one.display_name,
    one.email,
    one.party_role,
    one.status,
    one.sent_at,
    one.viewed_at,
    one.signed_at,
  ]);
  expect(shown).toEqual([
    [1, 'Ada Lovelace', 'ada@example.com', 'Tenant', 'signed', at(60), at(30), at(20)],
    [2, 'Grace Hopper', 'grace@example.com', 'Landlord', 'signed', at(60), at(30), at(0)],
    [3, 'Mary Somerville', 'mary@example.com', 'cc', 'sent', at(0), null, null],
  ]);
  expect(await items(company, id)).toMatchObject([
    { index: null, name: envelope.subject, status: 'filed', document_id: document.id, duplicate: false, pages: 1 },
  ]);
  const trail = await readAudit(app.db, company.id, document.id);
  expect(trail.map(({ action }) => action)).toEqual(['created', 'attached']);
  expect(firstBreak(document.id, trail)).toBe(null);
  const out = `${app.dataDir}/downloaded.pdf`;
  const place = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const downloaded = await place.json<{ sha256: string }>('document', 'download', document.id, '--out', out);
  expect(downloaded.sha256).toBe(trail[1]?.detail.sha256);
  const [link] = await place.json<[{ url: string }]>('document', 'links', document.id);
  const page = app.service.origin + new URL(link.url).pathname;
  const copy = await fetch(`${page}/document.pdf`);
  const sha256 = createHash('sha256').update(new Uint8Array(await copy.arrayBuffer()));
  expect([copy.status, sha256.digest('hex')]).toEqual([200, downloaded.sha256]);
  expect(await (await fetch(page)).text()).toContain('document.pdf');
});

test('with unlock_doc each file is unlocked too, and a known one at no cost', async () => {
  const company = await connected();
  fill(vendor.api, 3);
  const unlocked = (id: string) =>
    eventually(
      () => items(company, id),
      (list: Array<{ unlock: { status: string } }>) => list.every(({ unlock }) => unlock.status === 'unlocked'),
      60_000,
    );
  const first = await migrate(app, company, { unlock_doc: true });
  expect((await unlocked(first.id)).map((item) => item.unlock)).toEqual(
    Array(3).fill({ status: 'unlocked', pages: 1, credits: 1, reason: null }),
  );
  const second = await migrate(app, company, { unlock_doc: true });
  expect((await unlocked(second.id)).map((item) => item.unlock)).toEqual(
    Array(3).fill({ status: 'unlocked', pages: 1, credits: 0, reason: null }),
  );
});

test('a recipient is erased with the file and the text that it was unlocked to, and neither comes back', async () => {
  const company = await connected();
  fill(vendor.api, 1);
  const { id } = await migrate(app, company, { unlock_doc: true });
  const [item] = await eventually(
    () => items(company, id),
    (list: Array<{ document_id: string; unlock: { status: string } }>) => list[0]?.unlock.status === 'unlocked',
    60_000,
  );
  const at = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const erase = ['recipient', 'erase', '--email', 'mary@example.com', '--files', 'delete', '--account', company.id];
  expect(await at.json(...erase, '--confirm')).toMatchObject({ erased: true, documents: 1, files: 1 });
  const held = await rows<object>(
    `select (select count(*)::int from document_files where account_id = $1) as files,
       (select count(*)::int from document_unlocks where account_id = $1) as unlocks,
       (select count(*)::int from unlocked_pages where account_id = $1) as pages`,
    [company.id],
  );
  expect(held).toEqual([{ files: 0, unlocks: 0, pages: 0 }]);
  expect(await rows(misreferenced, [])).toEqual([]);

  const again = await migrate(app, company, { unlock_doc: true });
  expect(await items(company, again.id)).toMatchObject([
    { document_id: item?.document_id, duplicate: true, unlock: { status: 'skipped', credits: 0 } },
  ]);
});

/** Finds stored files whose number of references is not that of the rows that refer to them. */
const misreferenced = `select encode(f.sha256, 'hex') as sha256 from stored_files f where reference_count <>
  (select count(*) from document_files d where d.sha256 = f.sha256)
  + (select count(*) from document_unlocks u where u.sha256 = f.sha256)`;

test('nothing is sent for it, sealed of it or told of it', async () => {
  const company = await connected();
  fill(vendor.api, 3);
  await migrate(app, company);
  const [told] = await rows<object>(
    `select (select count(*)::int from events where account_id = $1) as events,
       (select count(*)::int from messages where account_id = $1) as messages,
       (select count(*)::int from documents where account_id = $1 and sealed_at is not null) as sealed,
       (select count(*)::int from jobs.job where data ->> 'accountId' = $1::text) as jobs`,
    [company.id],
  );
  expect(told).toEqual({ events: 0, messages: 0, sealed: 0, jobs: 0 });
});

test('documents of a restricted type arrive as sensitive papers', async () => {
  const company = await connected();
  await rows(`update accounts set restricted_types = '{other}' where id = $1`, [company.id]);
  fill(vendor.api, 2);
  expect(await migrate(app, company)).toMatchObject({ filed: 2 });
  expect(await documents(company)).toEqual([]);
});

test('earliest brings in what was completed on it or after, and nothing before', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 10);
  const earliest = new Date(envelopes[6]?.completedAt ?? 0).toISOString();
  expect(await migrate(app, company, { earliest })).toMatchObject({ total_files: 4, filed: 4 });
  await expectReconciled(app, company.id, envelopes.slice(6));
  vendor.api.pages.length = 0;
  expect(await migrate(app, company, { earliest: '0900-01-01T00:00:00Z' })).toMatchObject({ total_files: 10 });
  expect(vendor.api.pages[0]).toBe('1998-01-01T00:00:00.000Z@0');
});

test('an account without envelopes is done at once', async () => {
  const company = await connected();
  expect(await migrate(app, company)).toMatchObject({ status: 'finished', total_files: 0, remaining: 0 });
});

test('a second migration resolves known envelopes to the same documents, downloads and charges nothing for them', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 60);
  await migrate(app, company);
  const before = await documents(company);
  vendor.api.downloads.clear();
  const late = fill(vendor.api, 2, 1000);
  const { id, ...second } = await migrate(app, company);
  expect(second).toMatchObject({ total_files: 62, filed: 62, failed: 0 });
  expect([...vendor.api.downloads.keys()].sort()).toEqual(late.map((envelope) => envelope.id).sort());
  await expectReconciled(app, company.id, [...envelopes, ...late]);
  const known = await rows<{ document_id: string }>(
    'select document_id from import_items where import_id = $1 and duplicate',
    [id],
  );
  expect(known).toHaveLength(60);
  expect(known.map(({ document_id }) => document_id)).toEqual(
    expect.arrayContaining(before.map((document: { id: string }) => document.id)),
  );
});

test('two envelopes with the same bytes are two documents of one file', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 2);
  const same = aPdf({ words: 'the same' });
  for (const { id } of envelopes) {
    vendor.api.hands.set(id, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(same);
      return true;
    });
  }
  expect(await migrate(app, company)).toMatchObject({ filed: 2 });
  await expectReconciled(app, company.id, envelopes);
});

test('one bad envelope fails alone, with its reason', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 20);
  const bad = new Map<string, string>();
  const spoil = (index: number, reason: string, hand?: Parameters<typeof vendor.api.hands.set>[1]) => {
    const { id, subject } = envelopes[index] as (typeof envelopes)[number];
    bad.set(subject, reason);
    if (hand !== undefined) vendor.api.hands.set(id, hand);
  };
  const pdf = aPdf();
  const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3000)]);
  spoil(
    1,
    'invalid_pdf',
    answering((response) => response.writeHead(200).end(broken)),
  );
  spoil(
    3,
    'unsupported_type',
    answering((response) => response.writeHead(200).end(randomBytes(2000))),
  );
  spoil(5, 'download_failed', (response) => {
    response.writeHead(200, { 'content-length': pdf.length }).write(pdf.subarray(0, 300));
    setImmediate(() => response.destroy());
    return true;
  });
  spoil(
    7,
    'not_found',
    answering((response) => refuse(response, 400, 'ENVELOPE_DOES_NOT_EXIST')),
  );
  spoil(
    9,
    'permission_denied',
    answering((response) => refuse(response, 403, 'USER_LACKS_PERMISSIONS')),
  );
  spoil(
    11,
    'source_unavailable',
    answering((response) => refuse(response, 500, 'UNSPECIFIED_ERROR')),
  );
  spoil(
    13,
    'download_failed',
    answering((response) => refuse(response, 400, 'SOMETHING_ELSE')),
  );
  spoil(
    15,
    'download_failed',
    answering((response) => response.writeHead(200).end('<!DOCTYPE html><html>')),
  );
  spoil(17, 'not_found');
  (envelopes[17] as (typeof envelopes)[number]).purgeState = 'documents_purged';

  const end = await migrate(app, company);
  expect(end).toMatchObject({ total_files: 20, filed: 11, failed: 9, remaining: 0 });
  const failed = (await items(company, end.id)).filter((item: { status: string }) => item.status === 'failed');
  expect(new Map(failed.map((item: { name: string; reason: string }) => [item.name, item.reason]))).toEqual(bad);
  const place = placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  const shown = await place.json<{ items: Array<{ name: string }> }>('import', 'show', end.id, '--watch');
  expect(shown.items.map(({ name }) => name)).toEqual([...bad.keys()]);
  const good = envelopes.filter(({ subject }) => !bad.has(subject));
  await expectReconciled(app, company.id, good);
});

test('what fails for a while comes in: a broken connection, a 500, a file cut short, a page instead', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 20);
  const pdf = aPdf();
  envelopes.forEach(({ id }, index) => {
    vendor.api.hands.set(id, (response, attempt) => {
      if (attempt > 2) return false;
      if (index % 4 === 0) response.destroy();
      else if (index % 4 === 1) refuse(response, 503, 'DOWN');
      else if (index % 4 === 2) response.writeHead(200).end('<!DOCTYPE html><html>We are being mended');
      else {
        response.writeHead(200, { 'content-length': pdf.length }).write(pdf.subarray(0, 400));
        setImmediate(() => response.destroy());
      }
      return true;
    });
  });
  expect(await migrate(app, company)).toMatchObject({ filed: 20, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('what the list says in a way that cannot be is left aside, and the envelope comes in', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 8);
  const says = (index: number, changes: object) => {
    const envelope = envelopes[index] as (typeof envelopes)[number];
    vendor.api.strange.set(envelope.id, { ...listed(envelope, true), ...changes });
  };
  const signer = { name: 'Ada Lovelace', signedDateTime: vendorTime(Date.UTC(2024, 1, 2)) };
  says(1, { sentDateTime: '0001-01-01T00:00:00+05:00' });
  says(2, { sentDateTime: '0000-01-01T00:00:00Z', status: 'Completed' });
  says(3, { recipients: { signers: [{ name: 'Ada Lovelace', signedDateTime: '9999-12-31T23:59:59.9999999-05:00' }] } });
  says(4, { completedDateTime: null });
  says(5, {
    completedDateTime: '0001-01-01T00:00:00Z',
    statusChangedDateTime: 'soon',
    recipients: { signers: [signer] },
  });
  says(6, { completedDateTime: '9999-12-31T23:59:59Z', emailSubject: 'Contract.pdf' });
  expect(await migrate(app, company)).toMatchObject({ total_files: 8, filed: 8, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
  const shown = new Map<string, string>();
  for (const { title, completed_at } of await documents(company)) shown.set(title, completed_at);
  expect(shown.get('Agreement 4')).toBe(new Date(envelopes[4]?.completedAt ?? 0).toISOString());
  expect(shown.get('Agreement 5')).toBe('2024-02-02T00:00:00.000Z');
  expect(shown.get('Contract.pdf')).toBe('9999-12-31T23:59:59.000Z');
});

test('an envelope that can be no document fails alone: without any time, with a crowd, refused by the database', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 6);
  const [, timeless, crowded, refused] = envelopes as [AnEnvelope, AnEnvelope, AnEnvelope, AnEnvelope];
  vendor.api.strange.set(timeless.id, { envelopeId: timeless.id, emailSubject: timeless.subject });
  crowded.recipients = { signers: Array(33_000).fill({ name: 'Ada Lovelace', email: 'ada@example.com' }) };
  refused.subject = 'refused by the database';
  await rows(
    `create function refuse_title() returns trigger language plpgsql as
       $$ begin raise exception 'no such time' using errcode = '22008'; end $$`,
    [],
  );
  await rows(
    `create trigger refuse_title before insert on documents for each row
       when (new.title = 'refused by the database') execute function refuse_title()`,
    [],
  );
  const end = await migrate(app, company);
  await rows('drop trigger refuse_title on documents', []);
  expect(end).toMatchObject({ total_files: 6, filed: 3, failed: 3 });
  const failed = (await items(company, end.id)).filter((item: { status: string }) => item.status === 'failed');
  const bad = [timeless, crowded, refused];
  expect(failed.map((item: { name: string; reason: string }) => [item.name, item.reason])).toEqual(
    bad.map(({ subject }) => [subject, 'download_failed']),
  );
  await expectReconciled(
    app,
    company.id,
    envelopes.filter((envelope) => !bad.includes(envelope)),
  );
  expect(await migrate(app, company)).toMatchObject({ total_files: 6, filed: 4, failed: 2 });
});

test('a batch that is too much for the database is filed one at a time', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 40);
  await rows('create sequence crowds', []); // a sequence keeps counting after a rollback
  await rows(
    `create function refuse_crowd() returns trigger language plpgsql as $$ begin
       if (select count(*) from made) > 1 then
         perform nextval('crowds');
         raise exception 'no time for so many' using errcode = '57014';
       end if;
       return null;
     end $$`,
    [],
  );
  await rows(
    `create trigger refuse_crowd after insert on documents referencing new table as made
       for each statement execute function refuse_crowd()`,
    [],
  );
  expect(await migrate(app, company)).toMatchObject({ filed: 40, failed: 0 });
  await rows('drop trigger refuse_crowd on documents', []);
  expect(await rows('select is_called from crowds', [])).toEqual([{ is_called: true }]);
  await expectReconciled(app, company.id, envelopes);
});

test('a list that holds what is no envelope loses nothing of what is', async () => {
  const company = await connected();
  vendor.api.listedMax = 10;
  const envelopes = fill(vendor.api, 35);
  vendor.api.strange.set(envelopes[9]?.id ?? '', { envelopeId: null, completedDateTime: vendorTime(0) });
  vendor.api.strange.set(envelopes[15]?.id ?? '', { envelopeId: '../../users' });
  const rest = envelopes.filter(({ id }) => !vendor.api.strange.has(id));
  expect(await migrate(app, company)).toMatchObject({ total_files: 33, filed: 33 });
  await expectReconciled(app, company.id, rest);
});

test('text of every kind is kept as far as it can be', async () => {
  const company = await connected();
  const recipients = {
    signers: [
      { name: '', email: `${'x'.repeat(300)}@example.com`, routingOrder: 'first', signedDateTime: vendorTime(0) },
      { name: 'Zoë\u0000 \ud800', email: 'zoe@example.com', roleName: 'approver', declinedDateTime: vendorTime(0) },
      { name: 'n'.repeat(500), deliveryMethod: 'SMS', phoneNumber: { countryCode: '1', number: '5550100' } },
    ],
    inPersonSigners: [{ hostName: 'Host', signerName: 'Ida Rhodes', routingOrder: '2', signedDateTime: vendorTime(0) }],
    seals: [{ name: 'A machine' }],
  };
  const envelope = anEnvelope(1, { subject: `\u0000\u202e${'s'.repeat(900)}`, recipients });
  vendor.api.envelopes.set(envelope.id, envelope);
  expect(await migrate(app, company)).toMatchObject({ filed: 1 });
  const [document] = await documents(company);
  expect(document.title).toBe('s'.repeat(200));
  const { body } = await call(app, 'GET', `/documents/${document.id}/recipients`, { key: company.key });
  expect(body.data).toMatchObject([
    { display_name: 'Without a name', email: null, status: 'signed', sign_order: 1 },
    { display_name: 'Zoë', party_role: null, status: 'declined', declined_reason: 'No reason was given.' },
    { display_name: 'n'.repeat(120), channel: 'sms', phone: '+1 5550100', status: 'sent' },
    { display_name: 'Ida Rhodes', channel: 'in_person', status: 'signed', sign_order: 2 },
  ]);
});

test('where no document was ever handed out for six hours, and the list is well, it is the envelopes that fail', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 3);
  let asked = 0;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'list') return false;
    asked += 1;
    refuse(response, 500, 'UNSPECIFIED_ERROR');
    return true;
  };
  const { body } = await startMigration(app, company);
  await eventually(
    async () => asked,
    (times) => times > envelopes.length,
  );
  app.clock.advance({ hours: 5 });
  expect(await shown(company, body.id)).toMatchObject({ status: 'running', failed: 0 });
  app.clock.advance({ hours: 2 });
  expect(await finished(app, company, body.id)).toMatchObject({ total_files: 3, filed: 0, failed: 3 });
});

test('a machine that wakes after weeks, and meets a vendor that stumbles, goes on', async () => {
  const company = await connected();
  fill(vendor.api, 30);
  let asked = 0;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'list') return false;
    asked += 1;
    if (asked === 10) app.clock.advance({ days: 20 });
    if (asked < 10 || asked > 15) return false;
    refuse(response, 503, 'DOWN');
    return true;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 30, failed: 0 });
});

test.for([
  ['answers nothing', 503],
  ['allows no call', 429],
] as const)('a vendor that %s for two weeks, and a consent that nobody renews, end a migration', async ([, status]) => {
  const [away, refused] = [await connected(), await connected()];
  fill(vendor.api, 3);
  let refusals = 0;
  vendor.api.onRequest = (_what, response) => {
    refusals += 1;
    refuse(response, status, 'DOWN');
    return true;
  };
  const started = [(await startMigration(app, away)).body, (await startMigration(app, refused)).body];
  const refusal = 'update esign_connections set refused_at = $2 where account_id = $1';
  await app.db.query({ name: '', text: refusal, values: [refused.id, app.clock.now()] });
  await eventually(
    async () => refusals,
    (count) => count > 0,
  );
  app.clock.advance({ days: 13 });
  expect(await shown(away, started[0].id)).toMatchObject({ status: 'running' });
  expect(await shown(refused, started[1].id)).toMatchObject({ status: 'running' });
  app.clock.advance({ days: 2 });
  const ended = { total_files: 1, filed: 0, failed: 1, remaining: 0 };
  expect(await finished(app, away, started[0].id)).toMatchObject(ended);
  expect(await finished(app, refused, started[1].id)).toMatchObject(ended);
});
