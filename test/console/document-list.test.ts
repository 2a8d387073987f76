import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

/** The list of documents: filters, sorting, counts and paging, also of many documents. */
let app: TestService;
let company: Company;
let ruth: Member;
let member: Visitor;
let owner: Visitor;
const ids: Record<string, string> = {};
/** When each document was created. */
const at: Record<string, string> = {};

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
  member = await signedIn(app, ruth);
  owner = await signedIn(app, await addMember(app, company.id, 'owner', 'mary@example.com'));
  const make = async (name: string, body: object) => {
    app.clock.advance({ hours: 1 });
    at[name] = app.clock.now().toISOString();
    ids[name] = await createDraft(app, company.key, { title: name, ...body });
  };
  await make('bravo lease', { type: 'contract', recipients: [ada, grace] });
  await make('Alpha estimate', { type: 'estimate', recipients: [ada] });
  await make('Delta lease', { type: 'contract', recipients: [grace] });
  await make('Charlie', { type: 'w9', recipients: [{ name: 'Ada Hopper', email: 'ah@example.com' }] });
  await make('Hidden lease', { type: 'contract', recipients: [ada] });
  await owner.post('/restricted-papers', { document_id: ids['Hidden lease'], kind: 'pay' });
  await make('Template', { type: 'contract', recipients: [ada] });
  await execute('update documents set is_template = true where id = $1', [ids.Template]);
  app.clock.advance({ hours: 1 });
  await member.post(`/documents/${ids['bravo lease']}/send`);
  app.clock.advance({ hours: 1 });
  await call(app, 'POST', `/documents/${ids['Alpha estimate']}/send`, { key: company.key });
  await owner.post(`/documents/${ids['Hidden lease']}/send`);
});
afterAll(() => app.stop());

function execute<Row>(text: string, values: unknown[]): Promise<Row[]> {
  return app.db.query<Row>({ name: '', text, values });
}

async function titles(query: string, visitor = member): Promise<string[]> {
  const { body } = await visitor.get(`/documents?${query}`);
  return body.data.map(({ title }: { title: string }) => title);
}

/** Reads all pages of one document each. */
async function paged(query: string, visitor = member, limit = 1): Promise<string[]> {
  const found: string[] = [];
  let after = '';
  do {
    const { body } = await visitor.get(`/documents?limit=${limit}&${query}${after}`);
    found.push(...body.data.map(({ title }: { title: string }) => title));
    after = body.next_cursor === null ? '' : `&starting_after=${body.next_cursor}`;
  } while (after !== '');
  return found;
}

async function counted(query: string, visitor = member): Promise<Record<string, number>> {
  const { body } = await visitor.get(`/documents/counts?${query}`);
  const entries = Object.entries(body.statuses as Record<string, { count: number; is_more: boolean }>);
  expect(entries).toHaveLength(8);
  return Object.fromEntries(entries.filter(([, { count }]) => count > 0).map(([name, { count }]) => [name, count]));
}

test('shows who sent each document, or who created one that was not sent, only when asked', async () => {
  const sendersOf = async (query: string) => {
    const { body } = await member.get(`/documents?${query}`);
    return Object.fromEntries(body.data.map((one: { title: string; sender: unknown }) => [one.title, one.sender]));
  };
  const senders = await sendersOf('senders=yes');
  const sent = { kind: 'person', name: 'ruth@example.com', actor: `person:${ruth.personId}`, has_sent: true };
  expect(senders['bravo lease']).toEqual(sent);
  expect(senders['Alpha estimate']).toMatchObject({ kind: 'api_key', has_sent: true });
  expect(senders['Delta lease']).toEqual({ ...senders['Alpha estimate'], has_sent: false });
  expect(Object.values(await sendersOf('senders='))).toEqual([null, null, null, null]);
  expect(refusal(await member.get('/documents?senders=no'))).toEqual([400, 'invalid_input']);
});

describe('filters', () => {
  test.each([
    ['type=contract', ['Delta lease', 'bravo lease'], { draft: 1, sent: 1 }],
    ['type=w9', ['Charlie'], { draft: 1 }],
    ['recipient=GRACE', ['Delta lease', 'bravo lease'], { draft: 1, sent: 1 }],
    ['recipient=ada@example.com', ['Alpha estimate', 'bravo lease'], { sent: 2 }],
    ['q=lease&recipient=ada', ['bravo lease'], { sent: 1 }],
    ['type=contract&status=draft', ['Delta lease'], { draft: 1, sent: 1 }],
    ['type=receipt', [], {}],
    ['', ['Charlie', 'Delta lease', 'Alpha estimate', 'bravo lease'], { draft: 2, sent: 2 }],
    ['status=sent', ['Alpha estimate', 'bravo lease'], { draft: 2, sent: 2 }],
  ] as const)('%s finds the documents and counts them by status', async (query, expected, counts) => {
    expect(await titles(query)).toEqual(expected);
    expect(await paged(query)).toEqual(expected);
    expect(await counted(query)).toEqual(counts);
  });

  test('the words of a recipient must all be of the same one', async () => {
    expect(await titles('recipient=ada%20hopper')).toEqual(['Charlie']);
    expect(await titles('q=ada%20hopper')).toEqual(['Charlie', 'bravo lease']);
  });

  test('a range of creation includes its start and leaves out its end', async () => {
    const range = (from: string, to: string) => `created_from=${at[from]}&created_before=${at[to]}`;
    expect(await titles(range('Alpha estimate', 'Charlie'))).toEqual(['Delta lease', 'Alpha estimate']);
    expect(await titles(`created_from=${at['Delta lease']}&sort=oldest`)).toEqual(['Delta lease', 'Charlie']);
    expect(await titles(`created_before=${at['Alpha estimate']}&sort=title`)).toEqual(['bravo lease']);
    expect(await counted(range('Alpha estimate', 'Charlie'))).toEqual({ draft: 1, sent: 1 });
  });

  test('senders are listed with their names, and each finds what it sent', async () => {
    const { data } = (await member.get('/documents/senders')).body;
    expect(data.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['person', 'mary@example.com'],
      ['person', 'ruth@example.com'],
      ['api_key', expect.stringContaining('svc_live_')],
    ]);
    const [mary, ruthActor, key] = data.map(({ actor }: { actor: string }) => actor);
    expect(ruthActor).toBe(`person:${ruth.personId}`);
    for (const sort of ['newest', 'oldest', 'changed', 'title']) {
      expect(await paged(`sender=${ruthActor}&sort=${sort}`)).toEqual(['bravo lease']);
      expect(await paged(`sender=${key}&sort=${sort}`)).toEqual(['Alpha estimate']);
      // She sent only a restricted document, which no list shows, not even to her.
      expect(await paged(`sender=${mary}&sort=${sort}`, owner)).toEqual([]);
    }
    expect(await counted(`sender=${ruthActor}`)).toEqual({ sent: 1 });
    expect(await titles(`sender=${ruthActor}&type=w9`)).toEqual([]);
  });

  test.each([
    'type=letterhead',
    'type=toString',
    'sender=ruth',
    'sender=person:1',
    'sort=random',
    'created_from=yesterday',
    'created_before=2026-02-30',
    'recipient=a&recipient=b',
    'recipient=%00',
    'starting_after=a.b.c',
  ])('refuse %s', async (query) => {
    expect(refusal(await member.get(`/documents?${query}`))).toEqual([400, 'invalid_input']);
    if (!/^(sort|starting)/.test(query)) {
      expect(refusal(await member.get(`/documents/counts?${query}`))).toEqual([400, 'invalid_input']);
    }
  });
});

describe('sorting', () => {
  test.each([
    ['newest', ['Charlie', 'Delta lease', 'Alpha estimate', 'bravo lease']],
    ['oldest', ['bravo lease', 'Alpha estimate', 'Delta lease', 'Charlie']],
    ['changed', ['Alpha estimate', 'bravo lease', 'Charlie', 'Delta lease']],
    ['title', ['Alpha estimate', 'bravo lease', 'Charlie', 'Delta lease']],
  ])('by %s, on one page and on many', async (sort, expected) => {
    expect(await titles(`sort=${sort}`)).toEqual(expected);
    expect(await paged(`sort=${sort}`)).toEqual(expected);
  });

  test('cursors belong to their sorting, company and key', async () => {
    const { next_cursor: cursor } = (await member.get('/documents?limit=1&sort=title')).body;
    const other = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
    for (const [visitor, query] of [
      [member, `sort=changed&starting_after=${cursor}`],
      [member, `starting_after=${cursor}`],
      [member, `sort=title&starting_after=${cursor.slice(0, -2)}`],
      [member, `sort=title&starting_after=${cursor.slice(0, 40)}${cursor.slice(40).toLowerCase()}`],
      [member, `sort=title&starting_after=${cursor}&starting_after=${cursor}`],
      [member, 'sort=title&starting_after='],
      [other, `sort=title&starting_after=${cursor}`],
    ] as const) {
      expect(refusal(await visitor.get(`/documents?${query}`))).toEqual([400, 'invalid_input']);
    }
  });

  test('a page by last change continues after a document that has changed meanwhile', async () => {
    const own = await createCompany(app);
    const visitor = await signedIn(app, await addMember(app, own.id, 'member'));
    const made: string[] = [];
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      app.clock.advance({ minutes: 1 });
      made.push(await createDraft(app, own.key, { title }));
    }
    const { body } = await visitor.get('/documents?limit=2&sort=changed');
    app.clock.advance({ minutes: 1 });
    await visitor.post(`/documents/${made[2]}/send`);
    expect(await titles(`sort=changed&starting_after=${body.next_cursor}`, visitor)).toEqual(['Two', 'One']);
    expect((await titles('sort=changed', visitor))[0]).toBe('Three');
  });

  test('many equal titles, and equal times of change, are each listed once', async () => {
    const own = await createCompany(app);
    const visitor = await signedIn(app, await addMember(app, own.id, 'member'));
    const id = await createSent(app, own.key, { title: 'Form W-9' });
    await crowd(id, 'Form w-9', 250);
    await createDraft(app, own.key, { title: 'Zebra' });
    for (const sort of ['title', 'changed', 'oldest', 'newest']) {
      const read: string[] = [];
      let after = '';
      do {
        const { body } = await visitor.get(`/documents?limit=40&sort=${sort}${after}`);
        read.push(...body.data.map(({ id }: { id: string }) => id));
        after = body.next_cursor === null ? '' : `&starting_after=${body.next_cursor}`;
      } while (after !== '');
      expect([sort, read.length, new Set(read).size]).toEqual([sort, 252, 252]);
    }
  });
});

describe('the export', () => {
  const exported = async (query: string, visitor = member) => {
    const { status, headers, text } = await visitor.get(`/documents/export?${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    return { headers, lines: text.split('\r\n').slice(0, -1), text };
  };

  test('has the documents of the filter as CSV for spreadsheets, and no restricted document or template', async () => {
    const day = app.clock.now().toISOString().slice(0, 10);
    const { headers, lines, text } = await exported('sort=oldest');
    expect(headers.get('content-disposition')).toContain(`documents-${day}.csv`);
    // Reading a body as text removes the byte order mark.
    expect(text.startsWith('"Title","Type","Status"')).toBe(true);
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      '"Title"',
      '"bravo lease"',
      '"Alpha estimate"',
      '"Delta lease"',
      '"Charlie"',
    ]);
    const [, first = ''] = lines;
    const created = at['bravo lease']?.slice(0, 19).replace('T', ' ');
    expect(first).toContain(
      `"Contract","Sent","Ada Lovelace <ada@example.com>; Grace Hopper <grace@example.com>","ruth@example.com","${created}"`,
    );
    expect(first.endsWith(`"${ids['bravo lease']}"`)).toBe(true);
    for (const visitor of [member, owner]) expect((await exported('', visitor)).text).not.toMatch(/Hidden|Template/);
    expect((await exported('type=contract&status=draft')).lines).toHaveLength(2);
    expect((await exported('type=receipt')).lines).toHaveLength(1);
    expect(refusal(await member.get('/documents/export?type=letterhead'))).toEqual([400, 'invalid_input']);
  });

  test('begins with a byte order mark, is in the language of the page, and runs no formula', async () => {
    const own = await createCompany(app);
    const visitor = await signedIn(app, await addMember(app, own.id, 'member'));
    const title = '=HYPERLINK("https://example.com";"Über")';
    await createDraft(app, own.key, { title, recipients: [{ name: '@Ada', email: 'ada@example.com' }] });
    const origin = new URL(app.baseUrl).origin;
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${origin}/console/api/documents/export`, {
      headers: { cookie, 'accept-language': 'es' },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    const [head, line] = bytes.subarray(3).toString().split('\r\n');
    expect(head).toContain('"Título","Tipo","Estado"');
    expect(line).toContain(
      `"'=HYPERLINK(""https://example.com"";""Über"")","Formulario","Borrador","'@Ada <ada@example.com>"`,
    );
  });
});

/** Copies a document many times. The copies have no recipients, and nobody sent them. */
async function crowd(id: string, title: string, many: number): Promise<void> {
  await execute(
    `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
       created_at, updated_at, sent_at, sent_mode, audit_seq, audit_hash)
     select overlay(d.id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, account_id, type, status, $2,
       primary_language, sign_order_mode, 0, created_at, updated_at, sent_at, sent_mode, 1, audit_hash
     from documents d, generate_series(1, $3::int) n where d.id = $1`,
    [id, title, many],
  );
}

describe('of many documents', () => {
  let visitor: Visitor;
  let crowded: Company;
  let rare: string;

  beforeAll(async () => {
    crowded = await createCompany(app);
    visitor = await signedIn(app, await addMember(app, crowded.id, 'member'));
    rare = await createDraft(app, crowded.key, { title: 'Needle', type: 'w9', recipients: [grace] });
    app.clock.advance({ minutes: 1 });
    const sent = await createSent(app, crowded.key, { title: 'Straw', type: 'form' });
    await crowd(sent, 'A straw', 10_500);
  });

  test.each(['newest', 'changed', 'title'])(
    'a rare filter reads a bounded number at a time by %s, and goes on to the last one',
    async (sort) => {
      for (const filter of ['type=w9', 'recipient=grace', 'q=needl']) {
        if (filter.startsWith('q') && sort === 'newest') continue;
        const first = (await visitor.get(`/documents?${filter}&sort=${sort}`)).body;
        expect(first).toMatchObject({ data: [], has_more: true });
        const next = (await visitor.get(`/documents?${filter}&sort=${sort}&starting_after=${first.next_cursor}`)).body;
        expect(next).toMatchObject({ data: [{ id: rare }], has_more: false });
      }
    },
  );

  test('an export has all pages', async () => {
    const { text } = await visitor.get('/documents/export');
    const lines = text.split('\r\n').slice(1, -1);
    expect([lines.length, new Set(lines.map((line) => line.split(',').at(-1))).size]).toEqual([10_502, 10_502]);
    const rareOnly = (await visitor.get('/documents/export?type=w9')).text;
    expect(rareOnly).toContain(rare);
    expect(rareOnly.split('\r\n')).toHaveLength(3);
  });

  test('counts are exact up to 1,000, and of a rare filter say that there may be more', async () => {
    const { statuses } = (await visitor.get('/documents/counts')).body;
    expect(statuses).toMatchObject({
      sent: { count: 1000, is_more: true },
      draft: { count: 1, is_more: false },
      completed: { count: 0, is_more: false },
    });
    const filtered = (await visitor.get('/documents/counts?type=w9')).body.statuses;
    expect(filtered).toMatchObject({ draft: { count: 0, is_more: true }, sent: { count: 0, is_more: true } });
  });
});
