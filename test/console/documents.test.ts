import { once } from 'node:events';
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRecipients } from '../../src/documents/queries.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { inspect } from '../../src/sealing/testing/tools.ts';
import { attachPdf, filesOf } from '../support/attach.ts';
import { insertMany } from '../support/insert-many.ts';
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
import { sealedPdf } from '../verify/sealed.ts';
import { sign } from './sample-company.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** The documents of a company, as its members see and change them. */
let app: TestService;
let company: Company;
let member: Visitor;
let memberId: string;
let owner: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  const ruth = await addMember(app, company.id, 'member', 'ruth@example.com');
  memberId = ruth.personId;
  member = await signedIn(app, ruth);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());

const grace = { name: 'Grace Hopper', email: 'grace@example.com' };

async function place(id: string, fields: object[]) {
  const { version } = (await member.get(`/documents/${id}`)).body;
  return member.post(`/documents/${id}/fields`, { version, fields });
}

async function firstRecipient(id: string) {
  const [recipient] = await listRecipients(app.db, company.id, id);
  return recipient as NonNullable<typeof recipient>;
}

async function actionsOf(id: string): Promise<{ action: string; actor: { kind: string; name: string | null } }[]> {
  return (await member.get(`/documents/${id}/timeline?limit=100`)).body.data;
}

async function eventsOf(id: string): Promise<{ type: string; body: string }[]> {
  return app.db.query({
    name: 'events_of',
    text: 'select type, body from events where document_id = $1 order by id',
    values: [id],
  });
}

describe('the list', () => {
  let listed: Company;
  let reader: Visitor;
  const ids: string[] = [];

  beforeAll(async () => {
    listed = await createCompany(app);
    reader = await signedIn(app, await addMember(app, listed.id, 'member'));
    for (const title of ['Roof repair', 'Lease of the mill', '100 % wool', 'Lease of the barn']) {
      const recipients = title.includes('mill') ? [grace] : [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
      ids.push(await createDraft(app, listed.key, { title, recipients }));
    }
    await call(app, 'POST', `/documents/${ids[3]}/send`, { key: listed.key });
    const restricted = await createDraft(app, listed.key, { title: 'Lease with a salary' });
    await app.db.query({
      name: 'restrict',
      text: "update documents set restricted_kind = 'pay' where id = $1",
      values: [restricted],
    });
  });

  const titles = async (query: string) =>
    (await reader.get(`/documents?${query}`)).body.data.map(({ title }: { title: string }) => title);

  test('goes from the newest to the oldest by cursor, without sensitive papers', async () => {
    const first = (await reader.get('/documents?limit=3')).body;
    expect(first).toMatchObject({ object: 'list', has_more: true });
    const rest = (await reader.get(`/documents?limit=3&starting_after=${first.next_cursor}`)).body;
    expect(rest.has_more).toBe(false);
    const all = [...first.data, ...rest.data].map(({ id }) => id);
    expect(all).toEqual(ids.toReversed());
    expect(first.data[0]).toMatchObject({ recipient_names: ['Ada Lovelace'], signer_count: 1, signed_count: 0 });
  });

  test.each([
    ['a word of the title, in any case', 'q=LEASE', ['Lease of the barn', 'Lease of the mill']],
    ['words in any order', 'q=mill%20lease', ['Lease of the mill']],
    ['the name of a recipient', 'q=hopper', ['Lease of the mill']],
    ['an address', 'q=grace@example', ['Lease of the mill']],
    ['title and recipient together', 'q=lease%20ada', ['Lease of the barn']],
    ['signs that mean something elsewhere', 'q=%25', ['100 % wool']],
    ['one status', 'status=sent', ['Lease of the barn']],
    ['a status and a word', 'q=lease&status=draft', ['Lease of the mill']],
    ['nothing', 'q=xyzzy', []],
  ])('finds by %s', async (_what, query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('finds by id, and pages what it found', async () => {
    expect(await titles(`q=${ids[0]}`)).toEqual(['Roof repair']);
    const first = (await reader.get('/documents?q=lease&limit=1')).body;
    expect(first).toMatchObject({ data: [{ title: 'Lease of the barn' }], has_more: true });
    const next = (await reader.get(`/documents?q=lease&limit=1&starting_after=${first.next_cursor}`)).body;
    expect(next.data).toMatchObject([{ title: 'Lease of the mill' }]);
  });

  test.each(['limit=0', 'status=signed', 'starting_after=abc', 'q=a&q=b', 'ending_before=abc', 'q=%00'])(
    'refuses %s',
    async (query) => expect(refusal(await reader.get(`/documents?${query}`))).toEqual([400, 'invalid_input']),
  );

  describe('of many documents', () => {
    let visitor: Visitor;
    let crowded: Company;
    let needles: string[];

    beforeAll(async () => {
      crowded = await createCompany(app);
      visitor = await signedIn(app, await addMember(app, crowded.id, 'member'));
      needles = [];
      for (const title of ['Old NEEDLE', 'Old needle in a haystack', 'One more old needle']) {
        needles.push(await createDraft(app, crowded.key, { title }));
      }
      await insertMany(
        app.db,
        10_500,
        `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
                 recipient_count, created_at, updated_at, audit_seq, audit_hash)
               select ('f0000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, account_id, type, status, 'Straw',
                 primary_language, sign_order_mode, 0, created_at, updated_at, 1, audit_hash
               from documents, generate_series($1::int, $2::int) n where id = $3`,
        [needles[0]],
      );
    });

    const search = async (query: string) => {
      const { body } = await visitor.get(`/documents?${query}`);
      return { ...body, ids: body.data.map(({ id }: { id: string }) => id) };
    };

    test('a search looks at a bounded number of documents at a time, and goes on from there', async () => {
      const first = await search('q=needle%20more');
      expect(first).toMatchObject({ ids: [], has_more: true });
      const second = await search(`q=needle%20more&starting_after=${first.next_cursor}`);
      expect(second).toMatchObject({ ids: [needles[2]], has_more: false });
    });

    test('puts the whole title first, then longer ones, however old, and each only once', async () => {
      const first = await search('q=%20old%20needle');
      expect(first).toMatchObject({ ids: [needles[0], needles[1]], has_more: true });
      const second = await search(`q=old%20needle&starting_after=${first.next_cursor}`);
      expect(second).toMatchObject({ ids: [needles[2]], has_more: false });
      expect((await search('q=old%20needle&status=sent')).ids).toEqual([]);
    });

    test('more titles than come first follow from the newest on', async () => {
      const first = await search('q=straw&limit=5');
      expect(first.has_more).toBe(true);
      const second = await search(`q=straw&limit=5&starting_after=${first.next_cursor}`);
      const third = await search(`q=straw&limit=5&starting_after=${second.next_cursor}`);
      const all = [...first.ids, ...second.ids, ...third.ids];
      expect(new Set(all).size).toBe(15);
      expect(all).toEqual(all.toSorted().toReversed());
    });

    test('neither signs of patterns nor titles of others come first', async () => {
      for (const text of ['old%25', 'old_needle', '%5C', '%E2%80%8F', 'a'.repeat(200)]) {
        expect((await search(`q=${text}`)).ids).toEqual([]);
      }
      expect(await titles('q=old%20needle')).toEqual([]);
    });
  });
});

describe('a document', () => {
  test('shows its recipients, its history and what may be done', async () => {
    const id = await createSent(app, company.key, { content: { message: 'Please sign.' } });
    const { body } = await member.get(`/documents/${id}`);
    expect(body).toMatchObject({
      status: 'sent',
      message: 'Please sign.',
      file: null,
      actions: ['remind', 'void', 'copy', 'mirror', 'move'],
    });
    expect(body.recipients).toMatchObject([
      { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'signer', status: 'sent', actions: ['reassign'] },
    ]);
    const first = (await member.get(`/documents/${id}/timeline?limit=2`)).body;
    expect(first.data).toMatchObject([{ action: 'requested', about: 'Ada Lovelace' }, { action: 'sent' }]);
    const rest = (await member.get(`/documents/${id}/timeline?limit=2&starting_after=${first.next_cursor}`)).body;
    expect(rest).toMatchObject({ data: [{ action: 'created', actor: { kind: 'api_key' } }], has_more: false });
  });

  test('of another company, of no company and with an id that is none are not found', async () => {
    const id = await createDraft(app, company.key);
    expect(refusal(await stranger.get(`/documents/${id}`))).toEqual([404, 'not_found']);
    expect(refusal(await stranger.post(`/documents/${id}/send`))).toEqual([404, 'not_found']);
    expect(refusal(await member.get('/documents/nonsense'))).toEqual([404, 'not_found']);
  });

  test('that is a sensitive paper is seen, and sent, by owners and admins alone; its event says only its id', async () => {
    const id = await createDraft(app, company.key);
    await owner.post('/restricted-papers', { document_id: id, kind: 'pay' });
    expect(refusal(await member.get(`/documents/${id}`))).toEqual([404, 'not_found']);
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([404, 'not_found']);
    expect((await owner.get(`/documents/${id}`)).body.restricted_kind).toBe('pay');
    expect((await owner.post(`/documents/${id}/send`)).body.status).toBe('sent');
    const [event] = await eventsOf(id);
    expect(JSON.parse(event?.body ?? '{}').data.document).toEqual({ id });
  });

  test('with a PDF shows its pages as pictures and as text', async () => {
    const id = await createDraft(app, company.key);
    await attachPdf(app, company, id, { pages: [{ text: 'The roof shall be tight' }, {}] });
    expect((await member.get(`/documents/${id}`)).body.file).toMatchObject({
      name: 'Lease.pdf',
      pages: [
        [612, 792],
        [612, 792],
      ],
    });
    const picture = await member.get(`/documents/${id}/pages/1?width=600`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(picture.headers.get('cache-control')).toBe('no-store');
    expect((await member.get(`/documents/${id}/pages/1/text`)).body.text).toContain('The roof shall be tight');
    expect(refusal(await member.get(`/documents/${id}/pages/3`))).toEqual([404, 'not_found']);
    expect(refusal(await stranger.get(`/documents/${id}/pages/1`))).toEqual([404, 'not_found']);
  });

  test('with a PDF gives it to everyone who sees it, at any status, also once there is a sealed one', async () => {
    const id = await createDraft(app, company.key, { title: 'Lease' });
    expect(refusal(await member.get(`/documents/${id}/pdf`))).toEqual([404, 'not_found']);
    const sha256 = await attachPdf(app, company, id, { pages: [{ text: 'The roof shall be tight' }] });
    expect(refusal(await member.get(`/documents/${id}/sealed`))).toEqual([404, 'not_found']);
    const fileKey = `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
    const original = await text((await filesOf(app).get(fileKey))?.stream as Readable);
    for (const path of ['pdf', 'original']) {
      const answer = await member.get(`/documents/${id}/${path}`);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/pdf']);
      expect(answer.headers.get('content-disposition')).toContain('Lease.pdf');
      expect(answer.text).toBe(original);
      expect(refusal(await stranger.get(`/documents/${id}/${path}`))).toEqual([404, 'not_found']);
    }
    await member.post(`/documents/${id}/send`);
    await sign(app, company, id, 'Ada Lovelace');
    const sealed = await eventually(
      () => member.get(`/documents/${id}/pdf`),
      ({ status }) => status === 200,
    );
    expect(sealed.text).not.toBe(original);
    const { sha256: sealedHash, pages } = (await member.get(`/documents/${id}/sealed`)).body;
    expect(sealedHash).toMatch(/^[0-9a-f]{64}$/);
    expect(pages.length).toBeGreaterThan(1);
    const last = `/documents/${id}/sealed/pages/${pages.length}`;
    expect((await member.get(`${last}?width=600`)).headers.get('content-type')).toBe('image/webp');
    expect((await member.get(`${last}/text`)).body.text).toContain('Ada Lovelace');
    expect(refusal(await member.get(`/documents/${id}/sealed/pages/${pages.length + 1}`))).toEqual([404, 'not_found']);
    expect(refusal(await stranger.get(`/documents/${id}/sealed`))).toEqual([404, 'not_found']);
    expect((await member.get(`/documents/${id}/original`)).text).toBe(original);
    await owner.post('/restricted-papers', { document_id: id, kind: 'pay' });
    for (const path of ['original', 'sealed', 'sealed/pages/1', 'sealed/pages/1/text'])
      expect(refusal(await member.get(`/documents/${id}/${path}`))).toEqual([404, 'not_found']);
    expect((await owner.get(`/documents/${id}/original`)).text).toBe(original);
  });

  test('that is completed is downloaded under its title, once it is sealed', async () => {
    const id = await createSent(app, company.key, { title: 'Lease: “Mühle” 1/2' });
    expect(refusal(await member.get(`/documents/${id}/pdf`))).toEqual([404, 'not_found']);
    await sign(app, company, id, 'Ada Lovelace');
    const { headers, text } = await eventually(
      () => member.get(`/documents/${id}/pdf`),
      ({ status }) => status === 200,
    );
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Lease%3A%20%E2%80%9CM%C3%BChle%E2%80%9D%201%2F2.pdf",
    );
    expect(text.startsWith('%PDF-')).toBe(true);
    expect(refusal(await stranger.get(`/documents/${id}/pdf`))).toEqual([404, 'not_found']);
    expect((await actionsOf(id))[0]).toMatchObject({ action: 'copied', about: 'Ada Lovelace' });
  });
});

describe('sending', () => {
  test('asks the recipients, and the history says who did it', async () => {
    const id = await createDraft(app, company.key, {
      recipients: [{ name: 'Ada', email: 'sent-by-hand@example.com' }],
    });
    expect((await member.post(`/documents/${id}/send`)).body).toMatchObject({
      status: 'sent',
      actions: ['remind', 'void', 'copy', 'mirror', 'move'],
    });
    expect((await actionsOf(id)).find(({ action }) => action === 'sent')?.actor).toEqual({
      kind: 'person',
      name: 'ruth@example.com',
    });
    const messages = await eventually(
      () => listMailbox(`${app.dataDir}/mailbox`, { to: 'sent-by-hand@example.com' }),
      (found) => found.length > 0,
    );
    expect(messages).toHaveLength(1);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['document.sent']);
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([409, 'document_not_sendable']);
  });

  test('of a document in review is for owners and admins', async () => {
    const id = await createDraft(app, company.key);
    await app.db.query({
      name: 'review',
      text: "update documents set status = 'in_review' where id = $1",
      values: [id],
    });
    expect((await member.get(`/documents/${id}`)).body.actions).toEqual(['preview', 'copy', 'mirror', 'move']);
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([403, 'forbidden']);
    expect((await owner.post(`/documents/${id}/send`)).body.status).toBe('sent');
  });

  test.each([
    ['no_signers', { recipients: [{ ...grace, role: 'cc' }] }],
    ['approver_requires_sequential', { recipients: [{ ...grace, role: 'approver' }] }],
  ])('is refused with %s', async (code, changes) => {
    const id = await createDraft(app, company.key, changes);
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([409, code]);
  });

  test('of a template is refused', async () => {
    const id = await createDraft(app, company.key);
    await app.db.query({
      name: 'template',
      text: 'update documents set is_template = true where id = $1',
      values: [id],
    });
    expect(refusal(await member.post(`/documents/${id}/send`))).toEqual([409, 'document_not_sendable']);
  });
});

describe('voiding', () => {
  test('wants a reason, ends the document, is told and audited', async () => {
    const id = await createSent(app, company.key);
    for (const reason of ['', '   ', 'x'.repeat(1001), 'a\u0000b', 'half of a pair: \ud83d']) {
      const { status } = await member.post(`/documents/${id}/void`, { reason });
      expect([400, 409], reason).toContain(status);
    }
    const { body } = await member.post(`/documents/${id}/void`, { reason: 'Signed on paper' });
    expect(body).toMatchObject({ status: 'voided', voided_reason: 'Signed on paper', actions: ['copy', 'move'] });
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['document.sent', 'document.voided']);
    const [entry] = await app.db.query<{ actor: string }>({
      name: 'who_voided',
      text: "select actor from audit_entries where document_id = $1 and action = 'voided'",
      values: [id],
    });
    expect(entry?.actor).toBe(`person:${memberId}`);
    expect(refusal(await member.post(`/documents/${id}/void`, { reason: 'Again' }))).toEqual([409, 'refused']);
  });

  test('is refused for a document that was completed since it was seen', async () => {
    const id = await createSent(app, company.key);
    await sign(app, company, id, 'Ada Lovelace');
    const voidAs = (status: string) => member.post(`/documents/${id}/void`, { reason: 'Wrong prices', status });
    expect(refusal(await voidAs('sent'))).toEqual([409, 'changed_meanwhile']);
    expect((await member.get(`/documents/${id}`)).body.status).toBe('completed');
    expect((await voidAs('completed')).body.status).toBe('voided');
  });
});

test('a reminder goes to those whose turn it is, once a day by hand', async () => {
  const id = await createSent(app, company.key, { recipients: [{ name: 'Ada', email: 'reminded@example.com' }] });
  expect((await member.post(`/documents/${id}/remind`)).status).toBe(200);
  await eventually(
    () => listMailbox(`${app.dataDir}/mailbox`, { to: 'reminded@example.com' }),
    (found) => found.length === 2,
  );
  expect(refusal(await member.post(`/documents/${id}/remind`))).toEqual([409, 'refused']);
});

describe('reassigning', () => {
  test('gives the place to somebody else, who is asked', async () => {
    const id = await createSent(app, company.key);
    const { id: recipient } = await firstRecipient(id);
    const path = `/documents/${id}/recipients/${recipient}/reassign`;
    const { body } = await member.post(path, { name: 'Grace Hopper', email: 'new-holder@example.com' });
    expect(body.recipients).toMatchObject([{ name: 'Grace Hopper', email: 'new-holder@example.com', status: 'sent' }]);
    await eventually(
      () => listMailbox(`${app.dataDir}/mailbox`, { to: 'new-holder@example.com' }),
      (found) => found.length === 1,
    );
  });

  test('replaces nobody whom the member has not seen, and nobody after the document has ended', async () => {
    const id = await createSent(app, company.key);
    const { id: recipient, holder } = await firstRecipient(id);
    const path = `/documents/${id}/recipients/${recipient}/reassign`;
    const grace = { name: 'Grace Hopper', email: 'grace@example.com', holder };
    expect((await member.post(path, { ...grace, name: 'Alan Turing', email: 'alan@example.com' })).status).toBe(200);
    expect(refusal(await member.post(path, grace))).toEqual([409, 'changed_meanwhile']);
    const { body } = await member.get(`/documents/${id}`);
    expect(body.recipients).toMatchObject([{ name: 'Alan Turing', holder: 2 }]);
    expect((await member.post(`/documents/${id}/void`, { reason: 'A mistake.' })).status).toBe(200);
    expect(refusal(await member.post(path, { ...grace, holder: 2 }))).toEqual([409, 'changed_meanwhile']);
  });

  test.each([
    [400, 'invalid_input', { name: '' }],
    [409, 'refused', { name: 'Grace', email: 'not an address' }],
    [409, 'refused', { name: 'Grace' }],
    [409, 'refused', { name: 'Grace\u0000', email: 'grace@example.com' }],
  ])('is refused with %i %s', async (status, code, body) => {
    const id = await createSent(app, company.key);
    const { id: recipient } = await firstRecipient(id);
    expect(refusal(await member.post(`/documents/${id}/recipients/${recipient}/reassign`, body))).toEqual([
      status,
      code,
    ]);
  });
});

describe('signing in person', () => {
  const inPerson = { recipients: [{ name: 'Mary Jackson', channel: 'in_person' }] };

  test('opens a link, and signs out the one who hands over the device', async () => {
    const id = await createSent(app, company.key, inPerson);
    const { id: recipient } = await firstRecipient(id);
    const host = await signedIn(app, { personId: memberId });
    const path = `/documents/${id}/recipients/${recipient}/in-person`;
    const kept = await host.post(path, { sign_out: false });
    expect((await host.page(kept.body.path)).text).toContain('Mary Jackson');
    expect((await host.get('/me')).status).toBe(200);
    const left = await host.post(path, { sign_out: true });
    expect(left.body.path).toMatch(/^\/sign\/[\w-]{43}$/);
    expect(refusal(await host.get('/me'))).toEqual([401, 'not_signed_in']);
    expect((await actionsOf(id)).filter(({ action }) => action === 'link_shown')).toHaveLength(2);
  });

  test('is for those alone who were to sign so: nobody gets the link of another', async () => {
    const byMail = await createSent(app, company.key);
    const { id: recipient } = await firstRecipient(byMail);
    const path = `/documents/${byMail}/recipients/${recipient}/in-person`;
    expect(refusal(await member.post(path, { sign_out: false }))).toEqual([409, 'refused']);
    const draft = await createDraft(app, company.key, inPerson);
    const waiting = await firstRecipient(draft);
    const early = `/documents/${draft}/recipients/${waiting.id}/in-person`;
    expect(refusal(await member.post(early, { sign_out: false }))).toEqual([409, 'refused']);
  });
});

describe('signing for oneself', () => {
  test('opens the signing page of the member who is the recipient, when it is their turn', async () => {
    const recipients = [
      { name: 'Ruth Müller', email: 'RUTH@example.com' },
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'Ruth in copy', email: 'ruth@example.com', role: 'cc' },
      { name: 'Ruth by SMS', email: 'ruth@example.com', phone: '+41 79 555 01 03', channel: 'sms' },
    ];
    const id = await createDraft(app, company.key, { recipients });
    const actions = async () => {
      const shown = (await member.get(`/documents/${id}`)).body.recipients as Array<{ id: string; actions: string[] }>;
      return shown.map((recipient) => recipient.actions.includes('sign'));
    };
    const shown = (await member.get(`/documents/${id}`)).body.recipients as Array<{ id: string }>;
    const open = (index: number, by = member) => by.post(`/documents/${id}/recipients/${shown[index]?.id}/sign`);
    expect(await actions()).toEqual([false, false, false, false]);
    expect(refusal(await open(0))).toEqual([409, 'refused']);
    expect((await member.post(`/documents/${id}/send`)).status).toBe(200);

    expect(await actions()).toEqual([true, false, false, false]);
    for (const index of [1, 2, 3]) expect(refusal(await open(index))).toEqual([409, 'refused']);
    // An owner is not the recipient either.
    expect(refusal(await open(0, owner))).toEqual([409, 'refused']);
    const { path } = (await open(0)).body;
    expect((await member.page(path)).text).toContain('Ruth Müller');
    expect(await actionsOf(id)).toContainEqual(
      expect.objectContaining({ action: 'link_shown', actor: expect.objectContaining({ kind: 'person' }) }),
    );
    await sign(app, company, id, 'Ruth Müller');
    expect(await actions()).toEqual([false, false, false, false]);
    expect(refusal(await open(0))).toEqual([409, 'refused']);

    for (const name of ['Ada Lovelace', 'Ruth by SMS']) await sign(app, company, id, name);
    const text = inspect(await sealedPdf(app, id), 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ');
    expect(text).toContain('Personal link sent by e-mail, also opened in an account with this e-mail address');
    expect(text.match(/Personal link sent by e-mail/g)).toHaveLength(2);
    expect(text).toContain('Personal link sent by SMS');
  });
});

describe('a new document', () => {
  const body = {
    title: 'Made by hand',
    type: 'lien_waiver',
    recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com', role: null }],
    content: { message: null, expires_in_days: 7 },
  };
  const pdf = (ballast = 0) => new Uint8Array(makePdf({ pages: [{}, {}], ballast }));

  test('is made by the rules of the API, by whom the history says', async () => {
    const { body: made } = await member.post('/documents', body);
    const shown = (await call(app, 'GET', `/documents/${made.id}`, { key: company.key })).body;
    expect(shown).toMatchObject({ title: 'Made by hand', type: 'lien_waiver', status: 'draft', recipient_count: 1 });
    expect(await actionsOf(made.id)).toMatchObject([{ action: 'created', actor: { kind: 'person' } }]);
  });

  test.each([
    ['title', { ...body, title: '  ' }],
    ['recipients', { ...body, recipients: [] }],
    ['recipients[0].email', { ...body, recipients: [{ name: 'Ada' }] }],
    ['content.expires_in_days', { ...body, content: { expires_in_days: 0 } }],
  ])('is refused with what is wrong: %s', async (param, wrong) => {
    const answer = await member.post('/documents', wrong);
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: 'invalid_input', param }]);
  });

  test('takes a PDF and fields, is sent, and is signed where they were placed', async () => {
    const { id } = (await member.post('/documents', body)).body;
    const attached = await member.upload(`/documents/${id}/file?name=Waiver.pdf`, pdf(3 * 2 ** 20));
    expect(attached.body.file).toMatchObject({
      name: 'Waiver.pdf',
      pages: [
        [612, 792],
        [612, 792],
      ],
    });
    const { id: recipient } = await firstRecipient(id);
    const field = {
      recipient,
      type: 'signature',
      page: 2,
      x: 72,
      y: 90.5,
      width: 160,
      height: 40,
      required: true,
      label: null,
      private: true,
    };
    expect((await place(id, [field])).status).toBe(200);
    expect((await member.get(`/documents/${id}/fields`)).body.data).toMatchObject([field]);
    expect((await member.post(`/documents/${id}/send`)).body.status).toBe('sent');
    expect(refusal(await place(id, []))).toEqual([409, 'refused']);
    expect(refusal(await member.upload(`/documents/${id}/file?name=Other.pdf`, pdf()))).toEqual([409, 'refused']);
    const actions = (await actionsOf(id)).filter(({ actor }) => actor.kind === 'person').map(({ action }) => action);
    expect(actions).toEqual(['sent', 'fields_placed', 'attached', 'created']);
  });

  test.each([
    ['no PDF', 'name=a.pdf', new TextEncoder().encode('Hello'), 409, 'invalid_pdf'],
    ['nothing', 'name=a.pdf', new Uint8Array(), 400, 'invalid_input'],
    ['no name', 'name=', pdf(), 400, 'invalid_input'],
  ])('refuses as its file: %s', async (_what, query, bytes, status, code) => {
    const { id } = (await member.post('/documents', body)).body;
    expect(refusal(await member.upload(`/documents/${id}/file?${query}`, bytes))).toEqual([status, code]);
    expect(refusal(await stranger.upload(`/documents/${id}/file?name=a.pdf`, pdf()))).toEqual([404, 'not_found']);
  });

  test.each([
    ['over the edge', { x: 600 }],
    ['on a page that there is not', { page: 3 }],
    ['of a stranger', { recipient: '00000000-0000-7000-8000-000000000000' }],
  ])('refuses a field %s', async (_what, change) => {
    const { id } = (await member.post('/documents', body)).body;
    await member.upload(`/documents/${id}/file?name=a.pdf`, pdf());
    const { id: recipient } = await firstRecipient(id);
    const field = { recipient, type: 'text', page: 1, x: 10, y: 10, width: 100, height: 20, ...change };
    expect(refusal(await place(id, [field]))).toEqual([409, 'refused']);
  });

  test('waits with its file while many others bring theirs', async () => {
    const { id } = (await member.post('/documents', body)).body;
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const origin = new URL(app.baseUrl).origin;
    const url = `${origin}/console/api/documents/${id}/file?name=a.pdf`;
    const headers = { cookie, origin, 'content-length': '1000000' };
    const slow = Array.from({ length: 13 }, () => {
      const sending = request(url, { method: 'POST', headers }).on('error', () => {});
      sending.write('%PDF-');
      return sending;
    });
    const refused = await Promise.race(slow.map((sending) => once(sending, 'response')));
    expect(refused[0].statusCode).toBe(429);
    for (const sending of slow) sending.destroy();
    await eventually(
      () => member.upload(`/documents/${id}/file?name=a.pdf`, pdf()),
      ({ status }) => status === 200,
    );
  });

  test('takes its file from our own pages alone', async () => {
    const { id } = (await member.post('/documents', body)).body;
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(refusal(await member.upload(`/documents/${id}/file?name=a.pdf`, pdf(), headers))).toEqual([
      403,
      'foreign_origin',
    ]);
  });
});
