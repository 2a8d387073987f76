import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { readAudit } from '../../src/documents/audit.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { operate } from '../api/operate.ts';
import { attachPdf, fieldsOf, placeOn } from '../support/attach.ts';
import { bulkRows, csvOf } from '../support/bulk-send.ts';
import { type Answer, type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Bulk sends in the console. The service has no worker, so a test decides which rows are sent. */
let app: TestService;
let company: Company;
let ruth: Member;
let member: Visitor;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member');
  member = await signedIn(app, ruth);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

async function createTemplate(body: object = {}): Promise<string> {
  const answer = await member.post('/templates', { title: 'Lease', recipients: [{ name: 'Tenant' }], ...body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.id;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const upload = (template: string, csv: string | Uint8Array<ArrayBuffer>, visitor = member): Promise<Answer> =>
  visitor.upload(`/templates/${template}/bulk-sends?name=Tenants.csv`, typeof csv === 'string' ? bytes(csv) : csv);

async function check(template: string, csv: string): Promise<string> {
  const { body, text } = await upload(template, csv);
  expect(body.outcome, text).toBe('checked');
  return `/templates/${template}/bulk-sends/${body.bulk_send.id}`;
}

const start = (path: string, skip = false) => member.post(`${path}/start`, { skip_faulty: skip });
const idOf = (path: string) => path.split('/').at(-1) ?? '';

async function send(path: string, rows: number): Promise<void> {
  const queue = await app.queue();
  for (let row = 0; row < rows; row += 1) await sendNextRow(app.world, app.db, queue, company.id, idOf(path));
}

const oneFaulty = 'Tenant name,Tenant email\nAda,ada@example.com\nGrace,grace@\nAda,ada@example.com\n';

test('the sample has the columns that each row must fill in, in the language of the console, and is read again', async () => {
  const template = await createTemplate({ title: 'Lease ñ' });
  const sample = await member.get(`/templates/${template}/bulk-sends/sample`);
  expect(sample.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(sample.headers.get('content-disposition')).toContain("filename*=UTF-8''Lease%20%C3%B1.csv");
  expect(sample.text.replace('\uFEFF', '')).toBe('"Tenant name","Tenant email","Title"\r\n');
  await check(template, `${sample.text}Ada,ada@example.com,\n`);
  const spanish = await member.call('GET', `/templates/${template}/bulk-sends/sample`, undefined, {
    'accept-language': 'es',
  });
  expect(spanish.text).toContain('"Tenant nombre","Tenant correo","Título"');
  await check(template, `${spanish.text}Ada,ada@example.com,\n`);
});

describe('an upload', () => {
  test('answers with the counts and the first faults, and sends nothing', async () => {
    const template = await createTemplate();
    const { status, body } = await upload(template, oneFaulty);
    expect([status, body.outcome]).toEqual([200, 'checked']);
    expect(body.bulk_send).toMatchObject({
      file_name: 'Tenants.csv',
      status: 'checked',
      template: { id: template, title: 'Lease' },
      columns: ['Tenant name', 'Tenant email'],
      rows: { ready: 2, faulty: 1, sent: 0, failed: 0, duplicates: 1 },
      is_outdated: false,
      started_at: null,
      first_faults: [
        {
          number: 3,
          status: 'faulty',
          cells: ['Grace', 'grace@'],
          faults: [{ column: 'Tenant email', code: 'invalid_recipient_email' }],
        },
      ],
    });
    expect((await bulkRows(app, body.bulk_send.id)).map(({ document_id }) => document_id)).toEqual([null, null, null]);
    expect((await member.get(`/templates/${template}/bulk-sends/${body.bulk_send.id}`)).body).toEqual(body.bulk_send);
  });

  test('of a file that is no table, or lacks a column, says so and stores nothing', async () => {
    const template = await createTemplate();
    expect((await upload(template, 'Tenant name,Tenant email\n')).body).toEqual({
      outcome: 'unreadable',
      fault: 'no_rows',
      row: null,
    });
    expect((await upload(template, 'Tenant name,Tenant email\n"Ada,ada@example.com\n')).body).toMatchObject({
      outcome: 'unreadable',
      fault: 'open_quote',
    });
    expect((await upload(template, 'Tenant name,name\nAda,Ada\n')).body).toEqual({
      outcome: 'wrong_columns',
      columns: [
        { code: 'duplicate_column', name: 'Tenant name' },
        { code: 'missing_column', name: 'Tenant email' },
      ],
    });
    expect((await member.get(`/templates/${template}/bulk-sends`)).body.data).toEqual([]);
  });

  test('is refused when the file is empty, too large or has no name', async () => {
    const template = await createTemplate();
    expect(refusal(await upload(template, new Uint8Array(5 * 2 ** 20 + 1)))).toEqual([409, 'file_too_large']);
    expect(refusal(await upload(template, ''))).toEqual([400, 'invalid_input']);
    const unnamed = await member.upload(`/templates/${template}/bulk-sends`, bytes(oneFaulty));
    expect(refusal(unnamed)).toEqual([400, 'invalid_input']);
  });

  test.each([
    ['no_recipients', { recipients: [] }],
    ['no_signers', { recipients: [{ name: 'Office', role: 'cc' }] }],
    ['approver_requires_sequential', { recipients: [{ name: 'Tenant' }, { name: 'Boss', role: 'approver' }] }],
  ])('is refused with %s when no row could be sent', async (code, body) => {
    expect(refusal(await upload(await createTemplate(body), oneFaulty))).toEqual([409, code]);
  });

  test('is refused for documents, deleted templates and restricted templates', async () => {
    const template = await createTemplate();
    const path = `/templates/${template}/bulk-sends`;
    await operate(app, template, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
    expect(refusal(await upload(template, oneFaulty))).toEqual([404, 'not_found']);
    expect(refusal(await member.get(path))).toEqual([404, 'not_found']);
    expect((await upload(template, oneFaulty, owner)).body.outcome).toBe('checked');
    await owner.call('DELETE', `/templates/${template}`);
    expect(refusal(await upload(template, oneFaulty, owner))).toEqual([404, 'not_found']);
    expect(refusal(await owner.get(`${path}/sample`))).toEqual([404, 'not_found']);
    const { id } = (await member.post('/documents', { title: 'A draft', recipients: [] })).body;
    expect(refusal(await upload(id, oneFaulty))).toEqual([404, 'not_found']);
    expect(refusal(await member.get(`/templates/${id}/bulk-sends`))).toEqual([404, 'not_found']);
  });

  test('is refused while 20 files of the template were not started', async () => {
    const template = await createTemplate();
    const paths: string[] = [];
    for (let file = 0; file < 20; file += 1) paths.push(await check(template, csvOf(1)));
    expect(refusal(await upload(template, csvOf(1)))).toEqual([409, 'too_many_bulk_sends']);
    expect((await start(paths[0] ?? '')).status).toBe(200);
    await check(template, csvOf(1));
  });
});

describe('starting', () => {
  test('leaves out rows with faults on request only, and is in the name of the member who starts', async () => {
    const template = await createTemplate();
    const { body } = await upload(template, oneFaulty, owner);
    const path = `/templates/${template}/bulk-sends/${body.bulk_send.id}`;
    expect(refusal(await start(path))).toEqual([409, 'rows_with_faults']);
    expect(refusal(await member.post(`${path}/start`, {}))).toEqual([400, 'invalid_input']);
    const started = await start(path, true);
    expect(started.body).toMatchObject({ status: 'running', started_at: app.clock.now().toISOString() });
    const jobs = await app.db.query({
      name: '',
      text: `select from jobs.job where name = 'send-bulk-rows' and data->>'bulkSendId' = $1`,
      values: [body.bulk_send.id],
    });
    expect(jobs).toHaveLength(1);
    expect(refusal(await start(path, true))).toEqual([409, 'refused']);
    await send(path, 3);
    const done = (await member.get(path)).body;
    expect(done).toMatchObject({ status: 'done', rows: { ready: 0, faulty: 1, sent: 2, failed: 0 } });
    const [first] = (await member.get(`${path}/rows?status=sent`)).body.data;
    const trail = await readAudit(app.db, company.id, first.document_id);
    const sent = trail.filter(({ action }) => action === 'created' || action === 'sent');
    expect(sent.map(({ actor }) => actor)).toEqual([`person:${ruth.personId}`, `person:${ruth.personId}`]);
    expect((await member.get(`/documents/${first.document_id}`)).body).toMatchObject({
      title: 'Lease',
      status: 'sent',
    });
  });

  test('is refused when no row can be sent, and after the template was edited', async () => {
    const template = await createTemplate();
    const empty = await check(template, 'Tenant name,Tenant email\nAda,\n');
    expect(refusal(await start(empty, true))).toEqual([409, 'no_rows_to_send']);
    const path = await check(template, csvOf(1));
    const { version } = (await member.get(`/documents/${template}`)).body;
    const changed = { version, title: 'Another lease', recipients: [{ name: 'Tenant' }] };
    expect((await member.post(`/documents/${template}`, changed)).status).toBe(200);
    expect(refusal(await start(path))).toEqual([409, 'changed_meanwhile']);
    expect((await member.get(path)).body).toMatchObject({ status: 'checked', is_outdated: true });
  });

  test('of two members who start at once, one does', async () => {
    const path = await check(await createTemplate(), csvOf(1));
    const answers = await Promise.all([start(path), owner.post(`${path}/start`, { skip_faulty: false }), start(path)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

test('cancelling keeps what was sent, and is refused unless the bulk send runs', async () => {
  const path = await check(await createTemplate(), csvOf(3));
  expect(refusal(await member.post(`${path}/cancel`))).toEqual([409, 'refused']);
  await start(path);
  await send(path, 1);
  const cancelled = await member.post(`${path}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'cancelled', rows: { sent: 1, ready: 2 } });
  await send(path, 2);
  expect((await member.get(path)).body.rows).toMatchObject({ sent: 1, ready: 2 });
  expect(refusal(await member.post(`${path}/cancel`))).toEqual([409, 'refused']);
});

test('only what was never started is deleted', async () => {
  const template = await createTemplate();
  const [checked, started] = [await check(template, csvOf(1)), await check(template, csvOf(1))];
  await start(started);
  expect(refusal(await member.call('DELETE', started))).toEqual([409, 'refused']);
  expect((await member.call('DELETE', checked)).status).toBe(200);
  expect(refusal(await member.get(checked))).toEqual([404, 'not_found']);
  expect(refusal(await member.call('DELETE', checked))).toEqual([404, 'not_found']);
  expect(await bulkRows(app, idOf(checked))).toEqual([]);
  const list = (await member.get(`/templates/${template}/bulk-sends`)).body.data;
  expect(list).toEqual([expect.objectContaining({ id: idOf(started), status: 'running' })]);
});

describe('lists', () => {
  test('bulk sends are listed newest first, page by page, those of one template only', async () => {
    const [template, other] = [await createTemplate(), await createTemplate()];
    const paths: string[] = [];
    for (let file = 0; file < 3; file += 1) paths.push(await check(template, csvOf(file + 1)));
    const foreign = await check(other, csvOf(1));
    const first = (await member.get(`/templates/${template}/bulk-sends?limit=2`)).body;
    const rest = (await member.get(`/templates/${template}/bulk-sends?limit=2&starting_after=${first.next_cursor}`))
      .body;
    const found = [...first.data, ...rest.data];
    expect(found.map(({ id }) => id)).toEqual(paths.map(idOf).toReversed());
    expect(found.map(({ rows }) => rows.ready)).toEqual([3, 2, 1]);
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    const crossed = `/templates/${template}/bulk-sends/${idOf(foreign)}`;
    expect(refusal(await member.get(crossed))).toEqual([404, 'not_found']);
    expect(refusal(await start(crossed))).toEqual([404, 'not_found']);
    const cursor = `/templates/${other}/bulk-sends?starting_after=${first.next_cursor}`;
    expect(refusal(await member.get(cursor))).toEqual([400, 'invalid_input']);
  });

  test('rows are listed in the order of the file, page by page and by status', async () => {
    const path = await check(await createTemplate(), `${csvOf(4)}Grace,\n`);
    const first = (await member.get(`${path}/rows?limit=3`)).body;
    const rest = (await member.get(`${path}/rows?limit=3&starting_after=${first.next_cursor}`)).body;
    expect([...first.data, ...rest.data].map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    const faulty = (await member.get(`${path}/rows?status=faulty,failed`)).body.data;
    expect(faulty).toEqual([
      {
        number: 6,
        status: 'faulty',
        cells: ['Grace', ''],
        faults: [{ column: 'Tenant email', code: 'missing' }],
        duplicate_of: null,
        document_id: null,
      },
    ]);
    expect(refusal(await member.get(`${path}/rows?status=gone`))).toEqual([400, 'invalid_input']);
  });

  test('a member sees nothing of a row whose document was restricted, and an owner does', async () => {
    const path = await check(await createTemplate(), csvOf(2));
    await start(path);
    await send(path, 2);
    const [row] = await bulkRows(app, idOf(path));
    const documentId = row?.document_id ?? '';
    await owner.post('/restricted-papers', { document_id: documentId, kind: 'pay' });
    const seen = await member.get(`${path}/rows`);
    expect(seen.body.data[0]).toMatchObject({ number: 2, status: 'sent', cells: null, document_id: null });
    expect(seen.body.data[1].cells).toEqual(['Ada 1', 'ada-1@example.com']);
    expect(seen.text).not.toContain('ada-0@example.com');
    expect((await owner.get(`${path}/rows`)).body.data[0].document_id).toBe(documentId);
  });
});

describe('the file of unsent rows', () => {
  const lines = (text: string) => text.replace('\uFEFF', '').trimEnd().split('\r\n');

  test('has the rows with faults, names each fault, runs no formula, and is read again once corrected', async () => {
    const template = await createTemplate({ recipients: [{ name: 'Tenant', channel: 'sms' }] });
    const csv = 'Tenant name,Tenant phone,Tenant email,=HYPERLINK(1)\nAda,+34 600,,\nGrace,+34 700,grace@,=1+1\n';
    const path = await check(template, csv);
    const unsent = await member.get(`${path}/unsent`);
    expect(unsent.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(unsent.headers.get('cache-control')).toBe('no-store');
    expect(lines(unsent.text)).toEqual([
      `"Row","Problem","Tenant name","Tenant phone","Tenant email","'=HYPERLINK(1)"`,
      `3,"Tenant email: not an e-mail address","Grace","'+34 700","grace@","'=1+1"`,
    ]);
    // The columns in front stay two, however often the file is corrected.
    const uncorrected = await check(template, unsent.text);
    expect(lines((await member.get(`${uncorrected}/unsent`)).text)).toEqual([
      lines(unsent.text)[0],
      lines(unsent.text)[1]?.replace('3,', '2,'),
    ]);
    const again = await check(template, unsent.text.replace('grace@', 'grace@example.com'));
    expect((await member.get(again)).body.rows).toMatchObject({ ready: 1, faulty: 0 });
    await start(again);
    await send(again, 1);
    const [row] = await bulkRows(app, idOf(again));
    const [recipient] = await app.db.query<{ phone: string }>({
      name: '',
      text: 'select phone from recipients where document_id = $1',
      values: [row?.document_id],
    });
    expect(recipient?.phone).toBe('+34 700');
    const spanish = await member.call('GET', `${path}/unsent`, undefined, { 'accept-language': 'es' });
    expect(lines(spanish.text)[0]).toContain('"Fila","Problema"');
    expect(lines(spanish.text)[1]).toContain('no es un correo electrónico');
  });

  test('names a value that the template lacks by its column in the sample, which earlier versions did not ask for', async () => {
    const office = { name: 'Office', email: 'office@example.com', auth_level: 'l1_email_sms_otp' };
    const template = await createTemplate({ recipients: [office] });
    const columns = [{ code: 'missing_column', name: 'Office phone' }];
    expect((await upload(template, 'Title\nLease of Ada\n')).body).toEqual({ outcome: 'wrong_columns', columns });

    const path = await check(template, 'Title,Office phone\nLease of Ada,\n');
    await app.db.query({
      name: '',
      text: `update bulk_sends set columns = '{Title}', targets = '{title}' where id = $1`,
      values: [idOf(path)],
    });
    await app.db.query({
      name: '',
      text: `update bulk_send_rows set cells = '["Lease of Ada"]', faults = jsonb_set(faults, '{0,column}', 'null')
             where bulk_send_id = $1`,
      values: [idOf(path)],
    });
    expect(lines((await member.get(`${path}/unsent`)).text)[1]).toBe('2,"Office phone: missing","Lease of Ada"');
    const [row] = (await member.get(`${path}/rows`)).body.data;
    expect(row.faults).toEqual([{ column: 'Office phone', code: 'missing' }]);
  });

  test('has the rows that were left when a bulk send was cancelled, but not while it may still send them', async () => {
    const path = await check(await createTemplate(), csvOf(600));
    await start(path);
    await send(path, 1);
    expect(lines((await member.get(`${path}/unsent`)).text)).toHaveLength(1);
    await member.post(`${path}/cancel`);
    const left = lines((await member.get(`${path}/unsent`)).text);
    expect(left).toHaveLength(600);
    expect(left[1]).toBe('3,"not sent","Ada 1","ada-1@example.com"');
    expect(left[599]).toBe('601,"not sent","Ada 599","ada-599@example.com"');
  });
});

test('starting, cancelling and deleting are recorded for the company, and refusals are not', async () => {
  const other = await createCompany(app);
  const someone = await addMember(app, other.id, 'member');
  const visitor = await signedIn(app, someone);
  const template = (await visitor.post('/templates', { title: 'Lease', recipients: [{ name: 'Tenant' }] })).body.id;
  const uploaded = async () => {
    const { body } = await upload(template, csvOf(2), visitor);
    return `/templates/${template}/bulk-sends/${body.bulk_send.id}`;
  };
  const [started, deleted] = [await uploaded(), await uploaded()];
  await visitor.post(`${started}/start`, { skip_faulty: false });
  await visitor.post(`${started}/start`, { skip_faulty: false });
  await visitor.post(`${started}/cancel`);
  await visitor.post(`${started}/cancel`);
  await visitor.call('DELETE', started);
  await visitor.call('DELETE', deleted);
  const entries = await app.db.query({
    name: '',
    text: `select person_id, action, detail from account_audit_entries
           where account_id = $1 and action like 'bulk_send%' order by id`,
    values: [other.id],
  });
  const by = { person_id: someone.personId };
  expect(entries).toEqual([
    { ...by, action: 'bulk_send_started', detail: { template, bulk_send: idOf(started), rows: 2 } },
    { ...by, action: 'bulk_send_cancelled', detail: { template, bulk_send: idOf(started) } },
    { ...by, action: 'bulk_send_deleted', detail: { template, bulk_send: idOf(deleted) } },
  ]);
});

test('a column named by the label of a field fills in its value for each row, in every field with this label', async () => {
  const template = await createTemplate();
  await attachPdf(app, company, template);
  const text = { recipient: 1, type: 'text', label: 'Contract no.', value: 'C-0' } as const;
  await placeOn(app, company, template, [
    { ...text, read_only: true },
    { ...text },
    { recipient: 1, type: 'number', label: 'Rent', value: '950', decimals: 2, min: '1' },
    { recipient: 1, type: 'dropdown', label: 'Rhythm', options: ['Monthly', 'Yearly'], value: 'Monthly' },
    { recipient: 1, type: 'text', label: 'Town' },
    { recipient: 1, type: 'checkbox', label: 'Furnished', value: 'false' },
    { recipient: 1, type: 'date', label: 'Moves in', value: '2026-01-31', date_format: 'DD/MM/YYYY' },
    { recipient: 1, type: 'date', label: 'Ends', value: '2027-01-31', date_format: 'DD/MM/YYYY' },
    { recipient: 1, type: 'date', label: 'Ends', value: '2027-01-31', date_format: 'MM/DD/YYYY' },
    { recipient: 1, type: 'text', label: 'Plate', value: 'AB-1234', text_format: 'AA-9999' },
  ]);
  const sample = await member.get(`/templates/${template}/bulk-sends/sample`);
  expect(sample.text).toContain('"Title","Contract no.","Rent","Rhythm","Furnished","Moves in","Ends","Plate"\r\n');

  const head = 'Name,Email,CONTRACT NO,Rent,Rhythm,Town,Furnished,Moves in,Ends,Plate\n';
  const wrong = 'Ada,ada@example.com,C-1,0,Weekly,Paris,perhaps,9/25/2026,3/9/2027,BX 18\n';
  const { body } = await upload(template, head + wrong);
  expect(body.bulk_send.first_faults[0].faults).toEqual([
    { column: 'Rent', code: 'invalid_number' },
    { column: 'Rhythm', code: 'invalid_option' },
    { column: 'Furnished', code: 'invalid_checkbox' },
    { column: 'Moves in', code: 'invalid_date' },
    { column: 'Ends', code: 'invalid_date' },
    { column: 'Plate', code: 'invalid_text_format' },
  ]);
  const unsent = await member.get(`/templates/${template}/bulk-sends/${body.bulk_send.id}/unsent`);
  expect(unsent.text).toContain('Furnished: write true or false; Moves in: write the date as 2026-03-09');
  const ada = 'Ada,ada@example.com,C-1,1200.5,YEARLY,Paris,VERDADERO,3/9/2026,3/3/2027,bx1843\n';
  const path = await check(template, `${head}${ada}Grace,grace@example.com,,,,,,,,\n`);
  await start(path);
  await send(path, 2);
  const rows = await bulkRows(app, idOf(path));
  const values = await Promise.all(
    rows.map(async ({ document_id }) => {
      const fields = await fieldsOf(app, company, document_id ?? '');
      return fields.map(({ preset, value }) => (preset === value ? value : [preset, value]));
    }),
  );
  expect(values).toEqual([
    ['C-1', 'C-1', '1200.50', 'Yearly', null, 'true', '2026-09-03', '2027-03-03', '2027-03-03', 'bx-1843'],
    ['C-0', 'C-0', '950.00', 'Monthly', null, 'false', '2026-01-31', '2027-01-31', '2027-01-31', 'AB-1234'],
  ]);
});
