import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/canonical-json.ts';
import type { Document } from '../../src/documents/document.ts';
import { findDocument } from '../../src/documents/queries.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { drawnSignature, makePng } from '../../src/sealing/testing/sample-png.ts';
import { loadSealInput } from '../../src/signing/load-seal-input.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { auditOf, openLinkOf, type Signer, signature } from './signer.ts';

/** A document with a PDF and fields. Recipients fill in their own fields and see those of others after completion. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
];

const grace = { ...signature, full_name: 'Grace Hopper' };

async function sentWith(fieldsToPlace: readonly FieldToPlace[], changes: object = {}) {
  const id = await createDraft(app, company.key, { recipients, ...changes });
  const sha256 = await attachPdf(app, company, id, { pages: [{}, { entries: '/Rotate 90' }] });
  const fields = await placeOn(app, company, id, fieldsToPlace);
  const sent = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(sent.status).toBe(200);
  const open = (name: string) => openLinkOf(app, company, id, name);
  return { id, sha256, fields: fields.map((field) => field.id), ada: await open('Ada Lovelace'), open };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);
const statusOf = async (id: string) => (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;

/** Returns the data of the file in the page, for its script. */
async function refusalOf(answer: ReturnType<Signer['post']>) {
  const { status, body } = await answer;
  return [status, body.error?.code];
}

test('attach, place, send, open, save, come back, sign twice: completed, with every value where it was put', async () => {
  const { id, sha256, fields, ada, open } = await sentWith([
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'initials', page: 2 },
    { recipient: 1, type: 'text', label: 'Employer' },
    { recipient: 1, type: 'date' },
    { recipient: 1, type: 'checkbox' },
    { recipient: 2, type: 'signature' },
    { recipient: 2, type: 'text', required: false },
  ]);
  const [mark, initials, employer, day, agrees, graceMark, graceNote] = fields as [
    ...[string, string, string, string, string, string, string],
  ];

  const page = await ada.page();
  for (const field of [mark, initials, employer, day, agrees]) expect(page.text).toContain(field);
  for (const field of [graceMark, graceNote]) expect(page.text).not.toContain(field);
  expect((await ada.page('/pages/2?width=600')).headers.get('content-type')).toBe('image/webp');

  await ada.post('viewed');
  expect((await ada.post('progress', { fields: { [employer]: 'Analytical Engines', [mark]: 'true' } })).body).toEqual({
    state: 'open',
  });
  expect((await ada.post('progress', { fields: { [agrees]: 'true', [mark]: null } })).status).toBe(200);
  expect((await ada.elsewhere().page()).text).toContain('Analytical Engines');
  expect(await valuesOf(id)).toEqual([null, null, 'Analytical Engines', null, 'true', null, null]);

  const signed = await ada.post('sign', {
    ...signature,
    initials: { kind: 'typed', text: ' AL ' },
    fields: { [mark]: 'true', [initials]: 'true', [agrees]: 'false' },
  });
  expect([signed.status, signed.body]).toEqual([200, { state: 'signed' }]);
  const today = app.clock.now().toISOString().slice(0, 10);
  const left = ['true', 'true', 'Analytical Engines', today, 'false'];
  expect(await valuesOf(id)).toEqual([...left, null, null]);

  const second = await open('Grace Hopper');
  const shown = await second.page();
  expect(shown.text).toContain(graceMark);
  expect(shown.text).toContain('Analytical Engines');
  const graceSigned = await second.post('sign', { ...grace, fields: { [graceMark]: 'true' } });
  expect(graceSigned.body).toEqual({ state: 'completed' });
  expect(await statusOf(id)).toBe('completed');

  const trail = await auditOf(app, company, id);
  const sent = trail.find(({ action }) => action === 'sent');
  const [adaSigned, graceEntry] = trail.filter(({ action }) => action === 'signed');
  const filled = [mark, initials, employer, day, agrees].map((field, index) => ({ id: field, value: left[index] }));
  const hash = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');
  expect(adaSigned?.detail).toMatchObject({ fields: 5, fields_sha256: hash(filled) });
  expect(graceEntry?.detail).toMatchObject({ fields: 1, fields_sha256: hash([{ id: graceMark, value: 'true' }]) });
  expect(JSON.stringify(trail)).not.toContain('Analytical Engines');
  expect(sent?.detail.content_sha256).toMatch(/^[0-9a-f]{64}$/);

  // The sealed PDF is made only if file and fields are the same as when they were sent.
  const sealed = await eventually(
    async () => (await auditOf(app, company, id)).find(({ action }) => action === 'sealed'),
    (entry) => entry !== undefined,
  );
  expect(sealed?.detail.sha256).not.toBe(sha256);
});

const shownOn = async (signer: Signer) => /data-shown="([0-9a-f]{64})"/.exec((await signer.page()).text)?.[1];
const sha256Of = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

test('earlier values and signatures are shown with name and time, private ones are not, and the signature says which', async () => {
  const { id, fields, ada, open } = await sentWith([
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'text', label: 'Price' },
    { recipient: 1, type: 'text', label: 'Tax number', private: true },
    { recipient: 1, type: 'initials' },
  ]);
  const [mark, price, tax, initials] = fields as [string, string, string, string];
  const second = await open('Grace Hopper');
  const before = await shownOn(second);
  expect(before).toBe(sha256Of([]));
  expect((await second.page('/marks/1/signature')).status).toBe(404);
  const png = drawnSignature().toString('base64');
  await ada.post('sign', {
    full_name: 'Augusta Ada King',
    signature: { kind: 'drawn', png },
    initials: { kind: 'drawn', png },
    fields: { [mark]: 'true', [price]: '48 <b>pounds</b>', [tax]: 'TAX-77-1843', [initials]: 'true' },
  });

  const { text } = await second.page();
  expect(text).toContain('<bdi class="name">Ada Lovelace</bdi> signed on <time');
  expect(text).toContain('48 &lt;b&gt;pounds&lt;/b&gt;');
  expect(text).not.toContain('TAX-77-1843');
  for (const kind of ['signature', 'initials']) {
    const picture = await second.page(`/marks/1/${kind}`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  }
  expect((await second.page('/marks/2/signature')).status).toBe(404);
  const shown = await shownOn(second);
  expect((await second.page('/shown')).body).toEqual({ sha256: shown });
  // Ada sees her own values too, except that the page of the one who signed has nothing private to hide from her.
  expect((await ada.page()).text).toContain('48 &lt;b&gt;pounds&lt;/b&gt;');

  const forged = { ...grace, shown: 'f'.repeat(64) };
  expect(await refusalOf(second.post('sign', forged))).toEqual([400, 'malformed_request']);
  expect(await refusalOf(second.post('sign', { ...grace, shown: 1 }))).toEqual([400, 'malformed_request']);
  expect((await second.post('sign', { ...grace, shown })).body).toEqual({ state: 'completed' });

  // As docs/verify.md says, from what is embedded in the sealed PDF.
  const { attachments } = await loadSealInput(
    app.world,
    app.db,
    (await findDocument(app.db, id)) as Document,
    'http://localhost/verify',
  );
  const embedded = (name: string) =>
    JSON.parse(Buffer.from(attachments.find((file) => file.name === name)?.bytes ?? '', 'base64').toString());
  const hidden = embedded('content.json').fields.filter((field: { private?: boolean }) => field.private);
  expect(hidden).toHaveLength(1);
  const acts = embedded('audit.json').filter(({ action }: { action: string }) => action === 'signed');
  const last = acts.at(-1);
  expect(last.detail.shown).toBe(1);
  const recomputed = acts.slice(0, last.detail.shown).map(({ actor, hash }: { actor: string; hash: string }) => {
    const [, recipient_id] = actor.split(':');
    const own = embedded('values.json').find((one: { recipient_id: string }) => one.recipient_id === recipient_id);
    const values = own.values.filter(({ id }: { id: string }) =>
      hidden.every((field: { id: string }) => field.id !== id),
    );
    return { recipient_id, entry_hash: hash, values };
  });
  expect(recomputed[0].values).toHaveLength(3);
  expect(last.detail.shown_sha256).toBe(sha256Of(recomputed));
  expect(acts[0].detail).toMatchObject({ shown: 0, shown_sha256: sha256Of([]) });
});

test('who signs on a page that was opened before others signed has been shown what that page showed', async () => {
  const { id, ada, open } = await sentWith([{ recipient: 1, type: 'text', required: false }]);
  const second = await open('Grace Hopper');
  const shown = await shownOn(second);
  await ada.post('sign', signature);
  expect(await shownOn(second)).not.toBe(shown);
  expect((await second.post('sign', { ...grace, shown })).body).toEqual({ state: 'completed' });
  const entries = (await auditOf(app, company, id)).filter(({ action }) => action === 'signed');
  expect(entries.at(-1)?.detail).toMatchObject({ shown: 0, shown_sha256: shown });
});

test('without a file, a later recipient sees the signature next to the name, and a private field shows no signature', async () => {
  const png = drawnSignature().toString('base64');
  const id = await createDraft(app, company.key, { recipients });
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  const second = await openLinkOf(app, company, id, 'Grace Hopper');
  await ada.post('sign', { full_name: 'Ada King', signature: { kind: 'drawn', png } });
  const { text } = await second.page();
  expect(text).toContain('Signed as <bdi class="name">Ada King</bdi>');
  expect((await second.page('/marks/1/signature')).status).toBe(200);
  const shown = await shownOn(second);
  expect((await second.post('sign', { ...grace, shown })).status).toBe(200);

  const hidden = await sentWith([{ recipient: 1, type: 'signature', private: true }]);
  const signs = { signature: { kind: 'drawn', png }, fields: { [hidden.fields[0] as string]: 'true' } };
  await hidden.ada.post('sign', { ...signature, ...signs });
  const other = await hidden.open('Grace Hopper');
  expect((await other.page()).text).not.toContain('Signed as');
  expect((await other.page('/marks/1/signature')).status).toBe(404);
});

test('once a signer and the sealed PDF are erased, pages show the file without name, signature, initials or text', async () => {
  const { id, fields, ada, open } = await sentWith([
    { recipient: 1, type: 'signature' },
    { recipient: 1, type: 'initials' },
    { recipient: 1, type: 'text' },
  ]);
  const [mark, initials, text] = fields as [string, string, string];
  const png = drawnSignature().toString('base64');
  const values = { [mark]: 'true', [initials]: 'true', [text]: 'Analytical Engines' };
  await ada.post('sign', { ...signature, initials: { kind: 'drawn', png }, fields: values });
  const second = await open('Grace Hopper');
  expect((await second.post('sign', grace)).body).toEqual({ state: 'completed' });
  await eventually(
    () => findDocument(app.db, id),
    (document) => document?.sealed_file != null,
  );
  const found = {
    ...{ id: ada.recipientId, account_id: company.id, document_id: id },
    ...{ holder: 1, is_former: false, obstacle: null },
    contact: { channel: 'email', address: 'ada@example.com' },
  } as const;
  expect(await eraseRecipients(app.world, app.db, [found], 'delete')).toMatchObject({ recipients: 1, files: 1 });

  const page = await second.page();
  expect(page.status).toBe(200);
  expect(page.text).toContain('<bdi class="name">Erased person</bdi> signed on <time');
  for (const gone of ['Ada', 'Analytical Engines', '/marks/1/', '/sealed']) expect(page.text).not.toContain(gone);
  const [first] = (await auditOf(app, company, id)).filter(({ action }) => action === 'signed');
  expect(first?.detail).toMatchObject({ shown: 0, shown_sha256: sha256Of([]) });
});

test('a document with a file and no fields is signed as a whole', async () => {
  const { id, ada, open } = await sentWith([]);
  expect((await ada.page('/pages/1')).status).toBe(200);
  expect((await ada.post('sign', signature)).body).toEqual({ state: 'signed' });
  expect((await (await open('Grace Hopper')).post('sign', grace)).body).toEqual({ state: 'completed' });
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(signed?.detail).toMatchObject({ fields: 0 });
});

test('the digest of what is sent covers the file and every field', async () => {
  const digestOf = async (plan: object, fieldsToPlace: readonly FieldToPlace[]) => {
    const id = await createDraft(app, company.key, { recipients });
    if (plan !== null) await attachPdf(app, company, id, plan);
    await placeOn(app, company, id, fieldsToPlace);
    await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
    const sent = (await auditOf(app, company, id)).find(({ action }) => action === 'sent');
    const rows = await app.db.query<{ n: string }>({
      name: 'digest',
      text: `select encode(content_sha256, 'hex') as n from documents where id = $1`,
      values: [id],
    });
    expect(sent?.detail.content_sha256).toBe(rows[0]?.n);
    return rows[0]?.n;
  };
  const field = { recipient: 1, type: 'text' } as const;
  const digests = [
    await digestOf({}, []),
    await digestOf({ pages: [{ text: 'Another' }] }, []),
    await digestOf({}, [field]),
    await digestOf({}, [{ ...field, required: false }]),
    await digestOf({}, [{ ...field, label: 'Name' }]),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

test('a field changed behind the service after sending is never sealed over', async () => {
  const { id, fields, ada, open } = await sentWith([{ recipient: 1, type: 'text', label: 'Price' }]);
  await app.db.query({ name: 'move', text: 'update document_fields set y = y + 1 where id = $1', values: fields });
  await ada.post('sign', { ...signature, fields: { [fields[0] as string]: '100' } });
  await (await open('Grace Hopper')).post('sign', grace);
  const document = await findDocument(app.db, id);
  expect(document?.status).toBe('completed');
  await expect(loadSealInput(app.world, app.db, document as Document, 'http://localhost/verify')).rejects.toThrow(
    'is not what was sent',
  );
});

test('a value changed behind the service after signing is never sealed over', async () => {
  const { id, fields, ada, open } = await sentWith([
    { recipient: 1, type: 'text', label: 'Price' },
    { recipient: 2, type: 'text', label: 'Note', required: false },
  ]);
  await ada.post('sign', { ...signature, fields: { [fields[0] as string]: '100' } });
  await (await open('Grace Hopper')).post('sign', grace);
  const load = async () =>
    loadSealInput(app.world, app.db, (await findDocument(app.db, id)) as Document, 'http://localhost/verify');
  const put = (field: number, value: string | null) =>
    app.db.query({
      name: 'put',
      text: 'update document_fields set value = $2, filled_at = case when $2::text is not null then now() end where id = $1',
      values: [fields[field], value],
    });
  const embedded = (await load()).attachments.find(({ name }) => name === 'values.json');
  const values = JSON.parse(Buffer.from(embedded?.bytes ?? '', 'base64').toString());
  expect(values).toMatchObject([{ values: [{ id: fields[0], value: '100' }] }, { values: [] }]);
  const refused = expect.objectContaining({ message: expect.stringContaining('filled in is not what they signed') });
  await put(0, '1000');
  await expect(load()).rejects.toEqual(refused);
  await put(0, null);
  await expect(load()).rejects.toEqual(refused);
  await put(0, '100');
  await put(1, 'not hers');
  await expect(load()).rejects.toEqual(refused);
});

test('initials that were placed elsewhere and need not be given keep nobody from signing', async () => {
  const { id, fields, ada } = await sentWith([{ recipient: 1, type: 'initials', required: false }]);
  expect((await ada.post('progress', { fields: { [fields[0] ?? '']: 'true' } })).status).toBe(200);
  expect((await ada.elsewhere().post('sign', signature)).body).toEqual({ state: 'signed' });
  expect(await valuesOf(id)).toEqual([null]);
});

test.each([
  ['no value at all', [{ type: 'text' }], {}, 'fields_missing'],
  ['white space', [{ type: 'text' }], { 0: '  ' }, 'fields_missing'],
  ['a saved value that was emptied', [{ type: 'text' }], { 0: '' }, 'fields_missing'],
  ['a required box unticked', [{ type: 'checkbox', required: true }], { 0: 'false' }, 'fields_missing'],
  ['no signature placed', [{ type: 'signature' }], {}, 'fields_missing'],
  ['initials placed and none given', [{ type: 'initials' }], { 0: 'true' }, 'fields_missing'],
  ['a signature that is no', [{ type: 'signature' }], { 0: 'false' }, 'invalid_field'],
  ['a box that is neither', [{ type: 'checkbox' }], { 0: 'yes' }, 'invalid_field'],
  ['a day there is not', [{ type: 'date' }], { 0: '2026-02-30' }, 'invalid_field'],
  ['a day in words', [{ type: 'date' }], { 0: 'tomorrow' }, 'invalid_field'],
  ['a text too long', [{ type: 'text' }], { 0: '😀'.repeat(501) }, 'invalid_field'],
  ['a text that no database holds', [{ type: 'text' }], { 0: 'a\u0000b' }, 'invalid_field'],
  ['half a character', [{ type: 'text' }], { 0: '\ud83d' }, 'invalid_field'],
  ['a number', [{ type: 'text' }], { 0: 7 }, 'invalid_field'],
] as const)('refused to sign with %s', async (_name, fieldsToPlace, values, code) => {
  const { id, fields, ada } = await sentWith(fieldsToPlace.map((field) => ({ recipient: 1, ...field })));
  if (code === 'fields_missing' && fieldsToPlace[0].type === 'text') {
    await ada.post('progress', { fields: { [fields[0] as string]: Object.keys(values).length > 0 ? 'saved' : null } });
  }
  const said = Object.fromEntries(Object.entries(values).map(([index, value]) => [fields[Number(index)], value]));
  expect(await refusalOf(ada.post('sign', { ...signature, fields: said }))).toEqual([400, code]);
  expect(await statusOf(id)).toBe('sent');
  if (code === 'invalid_field') {
    expect(await refusalOf(ada.post('progress', { fields: said }))).toEqual([400, code]);
    expect(await valuesOf(id)).toEqual([null]);
  }
});

test('a text of 500 emoji fits, and a date given is kept', async () => {
  const { id, fields, ada } = await sentWith([
    { recipient: 1, type: 'text' },
    { recipient: 1, type: 'date' },
  ]);
  const said = { [fields[0] as string]: '😀'.repeat(500), [fields[1] as string]: '2024-02-29' };
  expect((await ada.post('sign', { ...signature, fields: said })).status).toBe(200);
  expect(await valuesOf(id)).toEqual(['😀'.repeat(500), '2024-02-29']);
});

test('nobody fills in what is another’s, or not there', async () => {
  const { id, fields, ada } = await sentWith([{ recipient: 2, type: 'text' }]);
  for (const field of [fields[0] as string, '01a1fb00-a7d3-7227-9385-744179ed3915', 'nonsense']) {
    expect(await refusalOf(ada.post('progress', { fields: { [field]: 'mine' } }))).toEqual([400, 'invalid_field']);
    expect(await refusalOf(ada.post('sign', { ...signature, fields: { [field]: 'mine' } }))).toEqual([
      400,
      'invalid_field',
    ]);
  }
  expect(await valuesOf(id)).toEqual([null]);
});

/** As an empty canvas. */
function blankPng(): string {
  return makePng({ width: 60, height: 20, rows: Buffer.alloc((60 * 4 + 1) * 20) }).toString('base64');
}

test('a signature that nobody sees is refused', async () => {
  const { ada } = await sentWith([]);
  for (const kind of ['drawn', 'uploaded']) {
    const body = { ...signature, signature: { kind, png: blankPng() } };
    expect(await refusalOf(ada.post('sign', body))).toEqual([400, 'invalid_signature']);
  }
});

test.each([
  ['typed at length', { kind: 'typed', text: 'x'.repeat(11) }, 'invalid_signature'],
  ['empty', { kind: 'typed', text: ' ' }, 'invalid_signature'],
  ['a drawing that is none', { kind: 'drawn', png: 'AAAA' }, 'invalid_signature'],
  ['a drawing that nobody sees', { kind: 'drawn', png: blankPng() }, 'invalid_signature'],
  ['of an unknown kind', { kind: 'sung' }, 'invalid_signature'],
  ['no object', 'AL', 'malformed_request'],
])('initials refused: %s', async (_name, initials, code) => {
  const { fields, ada } = await sentWith([{ recipient: 1, type: 'initials' }]);
  const body = { ...signature, initials, fields: { [fields[0] as string]: 'true' } };
  expect(await refusalOf(ada.post('sign', body))).toEqual([400, code]);
  const { error } = (await ada.post('sign', body)).body;
  expect(error.param).toBe(code === 'invalid_signature' ? 'initials' : undefined);
});

test('initials are kept where there is a place for them, typed or drawn', async () => {
  const kept = async (id: string) =>
    app.db.query({
      name: 'initials',
      text: 'select initials_text, initials_png from recipients where document_id = $1 order by position limit 1',
      values: [id],
    });
  const drawing = drawnSignature().toString('base64');
  const drawn = await sentWith([{ recipient: 1, type: 'initials' }]);
  const fields = { [drawn.fields[0] as string]: 'true' };
  await drawn.ada.post('sign', { ...signature, initials: { kind: 'drawn', png: drawing }, fields });
  expect(await kept(drawn.id)).toEqual([{ initials_text: null, initials_png: Buffer.from(drawing, 'base64') }]);
  const without = await sentWith([]);
  await without.ada.post('sign', { ...signature, initials: { kind: 'typed', text: 'AL' } });
  expect(await kept(without.id)).toEqual([{ initials_text: null, initials_png: null }]);
});

test('who draws need not type a name, and has signed as the sender named them', async () => {
  const { id, ada } = await sentWith([]);
  const { full_name: _, ...unnamed } = signature;
  expect(await refusalOf(ada.post('sign', unnamed))).toEqual([400, 'invalid_full_name']);
  const png = drawnSignature().toString('base64');
  expect((await ada.post('sign', { ...unnamed, signature: { kind: 'drawn', png } })).status).toBe(200);
  const [signed] = await app.db.query({
    name: 'signed_as',
    text: 'select signature_name = display_name as is_own from recipients where document_id = $1 order by position limit 1',
    values: [id],
  });
  expect(signed).toEqual({ is_own: true });
});

test('once signed, nothing that is filled in changes any more', async () => {
  const { id, fields, ada } = await sentWith([{ recipient: 1, type: 'text' }]);
  const field = fields[0] as string;
  await ada.post('sign', { ...signature, fields: { [field]: 'first' } });
  expect((await ada.post('progress', { fields: { [field]: 'second' } })).body).toEqual({ state: 'signed' });
  expect((await ada.post('sign', { ...signature, fields: { [field]: 'third' } })).body).toEqual({ state: 'signed' });
  expect(await valuesOf(id)).toEqual(['first']);
});

test('nothing is saved for whom it is not open', async () => {
  const { fields, id, ada, open } = await sentWith([{ recipient: 2, type: 'text' }], {
    content: { sign_order_mode: 'sequential' },
  });
  const waiting = await open('Grace Hopper');
  const said = { fields: { [fields[0] as string]: 'early' } };
  expect(await refusalOf(waiting.post('progress', said))).toEqual([409, 'not_your_turn']);
  await ada.post('decline', { reason: 'No' });
  expect(await refusalOf(waiting.post('progress', said))).toEqual([409, 'document_declined']);
  expect(await valuesOf(id)).toEqual([null]);
  expect(await refusalOf(waiting.post('progress', 'nonsense'))).toEqual([400, 'malformed_request']);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect(await refusalOf(waiting.post('progress', said, foreign))).toEqual([400, 'malformed_request']);
});

test('two tabs and a double click sign once, with one of their values', async () => {
  const { id, fields, ada } = await sentWith([{ recipient: 1, type: 'text' }]);
  const field = fields[0] as string;
  const answers = await Promise.all(
    ['one', 'two', 'three', 'four'].map((value) => ada.post('sign', { ...signature, fields: { [field]: value } })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const trail = await auditOf(app, company, id);
  expect(trail.filter(({ action }) => action === 'signed').length).toBe(1);
  expect(['one', 'two', 'three', 'four']).toContain((await valuesOf(id))[0]);
});
