import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListedFile, listFiles, sumFiles } from '../../src/data-export/stored-files.ts';
import { eraseSomeDocuments } from '../../src/erasure/erase-documents.ts';
import { makePdf, type PdfPlan, stream } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { sampleFile, signedFile } from '../../src/sealing/testing/sample-files.ts';
import { filesOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Several files in one document: adding, ordering and removing them, and what becomes of the fields. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const pagesOf = (...texts: string[]): PdfPlan => ({ pages: texts.map((text) => ({ text })) });
const contract = makePdf(pagesOf('Contract 1', 'Contract 2'));
const terms = makePdf(pagesOf('Terms 1'));
const annex = makePdf({
  pages: [{ text: 'Annex 1', width: 500, height: 400 }, { text: 'Annex 2' }, { text: 'Annex 3' }],
});
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const draft = () => createDraft(app, company.key, { title: 'Lease', recipients: [ada] });
const add = (id: string, name: string, pdf: Uint8Array, visitor = member) =>
  visitor.upload(`/documents/${id}/parts?name=${encodeURIComponent(name)}`, new Uint8Array(pdf));
const viewOf = async (id: string) => (await member.get(`/documents/${id}`)).body;
const partsOf = async (id: string) => (await member.get(`/documents/${id}/parts`)).body;
const namesOf = async (id: string) => (await partsOf(id)).data.map(({ name }: { name: string }) => name);
const fieldsOf = async (id: string) => (await member.get(`/documents/${id}/fields`)).body.data;
const textOf = async (id: string, page: number) => (await member.get(`/documents/${id}/pages/${page}/text`)).body.text;
const order = async (id: string, parts: unknown, version?: number) =>
  member.post(`/documents/${id}/parts/order`, { version: version ?? (await viewOf(id)).version, parts });

async function textsOf(id: string): Promise<string[]> {
  const { file } = await viewOf(id);
  return Promise.all(file.pages.map((_size: unknown, index: number) => textOf(id, index + 1)));
}

async function threeFiles(): Promise<string> {
  const id = await draft();
  for (const [name, pdf] of [
    ['Contract.pdf', contract],
    ['Terms.pdf', terms],
    ['Annex.pdf', annex],
  ] as const) {
    expect((await add(id, name, pdf)).status).toBe(200);
  }
  return id;
}

/** Files whose number of references is not that of the rows that name them. */
function miscounted(): Promise<object[]> {
  return app.db.query({
    name: 'miscounted',
    text: `select encode(sha256, 'hex'), reference_count from stored_files s where reference_count <>
             (select count(*) from document_files f where f.sha256 = s.sha256)
             + (select count(*) from document_parts p where p.sha256 = s.sha256)`,
    values: [],
  });
}

describe('adding files', () => {
  test('one file stays byte for byte as it is', async () => {
    const id = await draft();
    const { body } = await add(id, 'Contract.pdf', contract);
    expect(body.file).toMatchObject({ name: 'Contract.pdf', sha256: sha256(contract), parts: [] });
    expect((await partsOf(id)).data).toEqual([
      {
        position: 1,
        name: 'Contract.pdf',
        bytes: contract.length,
        page_count: 2,
        first_page: 1,
        sha256: sha256(contract),
        fields: 0,
      },
    ]);
    expect(await miscounted()).toEqual([]);
  });

  test('joins them in their order, and keeps the originals', async () => {
    const id = await threeFiles();
    expect(await textsOf(id)).toEqual(['Contract 1', 'Contract 2', 'Terms 1', 'Annex 1', 'Annex 2', 'Annex 3']);
    const { file } = await viewOf(id);
    expect(file).toMatchObject({ name: 'Contract.pdf, Terms.pdf, Annex.pdf' });
    expect(file.pages[3]).toEqual([500, 400]);
    expect(file.parts).toEqual([
      { title: 'Contract', first_page: 1 },
      { title: 'Terms', first_page: 3 },
      { title: 'Annex', first_page: 4 },
    ]);
    const { data, parts_max: max } = await partsOf(id);
    expect(max).toBe(20);
    expect(data.map((part: Record<string, unknown>) => [part.sha256, part.page_count])).toEqual([
      [sha256(contract), 2],
      [sha256(terms), 1],
      [sha256(annex), 3],
    ]);
    for (const pdf of [contract, terms, annex]) {
      const hex = sha256(pdf);
      expect(await filesOf(app).has(`sha256/${hex.slice(0, 2)}/${hex.slice(2)}`)).toBe(true);
    }
    expect(await miscounted()).toEqual([]);
    const [entry] = (await member.get(`/documents/${id}/timeline`)).body.data;
    expect(entry).toMatchObject({ action: 'attached', note: 'Contract.pdf, Terms.pdf, Annex.pdf' });
  });

  test('what a form shows is still shown', async () => {
    const id = await draft();
    const appearance = stream(
      '/Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources << /Font << /F1 3 0 R >> >>',
      Buffer.from('BT /F1 12 Tf 2 5 Td (Blue door) Tj ET'),
    );
    const form = makePdf({
      pages: [{ text: 'Form', entries: '/Annots [10000 0 R]' }],
      catalog: '/AcroForm << /Fields [10000 0 R] >>',
      objects: [
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Door) /V (Blue door) /Rect [72 500 300 520] /F 4 /P 10 0 R /AP << /N 10001 0 R >> >>',
        appearance,
      ],
    });
    await add(id, 'Contract.pdf', contract);
    expect((await add(id, 'Form.pdf', form)).status).toBe(200);
    expect(await textOf(id, 3)).toContain('Blue door');
  });

  test('a file that can’t be joined is refused by name, and the others stay', async () => {
    const id = await threeFiles();
    const { file } = await viewOf(id);
    const signed = await signedFile(terms);
    const refused = async (name: string, pdf: Uint8Array) => (await add(id, name, pdf)).body.error;
    expect(await refused('Deed.pdf', signed)).toMatchObject({
      code: 'invalid_pdf',
      param: 'signed',
      value: 'Deed.pdf',
    });
    expect(await refused('Odd.pdf', Buffer.from('no PDF'))).toMatchObject({ param: 'not_a_pdf', value: 'Odd.pdf' });
    expect(
      await refused('X.pdf', makePdf({ catalog: '/NeedsRendering true /AcroForm << /XFA 10 0 R /Fields [] >>' })),
    ).toMatchObject({
      code: 'invalid_pdf',
      value: 'X.pdf',
    });
    const locked = await sampleFile(1, (pdf) => pdf.setProtection({ ownerPassword: 'owner' }));
    expect(await refused('Locked.pdf', locked)).toMatchObject({ param: 'encrypted', value: 'Locked.pdf' });
    const cut = annex.subarray(0, annex.length - 200);
    expect(await refused('Cut.pdf', cut)).toMatchObject({ param: 'damaged', value: 'Cut.pdf' });
    expect((await viewOf(id)).file).toEqual(file);
    expect(await miscounted()).toEqual([]);
  });

  test('a signed file stays alone: what is added later is refused with its name', async () => {
    const id = await draft();
    expect((await add(id, 'Deed.pdf', await signedFile(terms))).status).toBe(200);
    const { body, status } = await add(id, 'Terms.pdf', terms);
    expect([status, body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'invalid_pdf', param: 'signed', value: 'Deed.pdf' }),
    ]);
    expect(await namesOf(id)).toEqual(['Deed.pdf']);
  });

  test('ends at 20 files, with the same one more than once', async () => {
    const id = await draft();
    for (let n = 1; n <= 20; n += 1) expect((await add(id, `${n}.pdf`, terms)).status).toBe(200);
    expect(refusal(await add(id, '21.pdf', terms))).toEqual([409, 'too_many_parts']);
    expect((await viewOf(id)).file.pages).toHaveLength(20);
    expect(await miscounted()).toEqual([]);
  });

  test('two at once: one is added, and the other is too or is asked to try again', async () => {
    const id = await draft();
    await add(id, 'Contract.pdf', contract);
    const answers = await Promise.all([add(id, 'Terms.pdf', terms), add(id, 'Annex.pdf', annex)]);
    const added = answers.filter(({ status }) => status === 200);
    expect(added.length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([409, 'changed_meanwhile']);
    }
    expect(await namesOf(id)).toHaveLength(1 + added.length);
    expect(await miscounted()).toEqual([]);
  });

  test('is refused once the document was sent, and by those who don’t see it', async () => {
    const id = await threeFiles();
    const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
    expect(refusal(await add(id, 'More.pdf', terms, stranger))).toEqual([404, 'not_found']);
    await placeOn(app, company, id, [{ recipient: 1, type: 'signature' }]);
    expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
    expect(refusal(await add(id, 'More.pdf', terms))).toEqual([409, 'refused']);
    expect(refusal(await order(id, [2, 1, 3]))).toEqual([409, 'refused']);
  });
});

describe('ordering and removing files', () => {
  /** A field on each file. The last one is shown while the box on the first file is ticked. */
  async function withFields(): Promise<string> {
    const id = await threeFiles();
    await placeOn(app, company, id, [
      { recipient: 1, type: 'checkbox', page: 2, label: 'I keep a dog' },
      { recipient: 1, type: 'signature', page: 3 },
      { recipient: 1, type: 'text', page: 5, y: 300, label: 'Breed', shown_if: { field: 1, value: true } },
    ]);
    return id;
  }

  test('fields move with their pages', async () => {
    const id = await withFields();
    const { status, body } = await order(id, [3, 1, 2]);
    expect([status, body.file?.name]).toEqual([200, 'Annex.pdf, Contract.pdf, Terms.pdf']);
    expect(await textsOf(id)).toEqual(['Annex 1', 'Annex 2', 'Annex 3', 'Contract 1', 'Contract 2', 'Terms 1']);
    expect(await fieldsOf(id)).toMatchObject([
      { type: 'checkbox', page: 5 },
      { type: 'signature', page: 6 },
      { type: 'text', page: 2, y: 300, shown_if: { field: 1, value: 'true' } },
    ]);
    expect(await miscounted()).toEqual([]);
  });

  test('the fields of a removed file go with it, as many as were announced', async () => {
    const id = await withFields();
    expect((await partsOf(id)).data.map(({ fields }: { fields: number }) => fields)).toEqual([1, 1, 1]);
    expect((await order(id, [2, 3])).status).toBe(200);
    expect(await textsOf(id)).toEqual(['Terms 1', 'Annex 1', 'Annex 2', 'Annex 3']);
    expect(await fieldsOf(id)).toMatchObject([
      { type: 'signature', page: 1 },
      { type: 'text', page: 3, shown_if: null },
    ]);
    expect(await miscounted()).toEqual([]);
  });

  test('radio buttons whose group would have only one go too', async () => {
    const id = await threeFiles();
    const radio = { recipient: 1, type: 'radio', group: 'Payment' } as const;
    await placeOn(app, company, id, [
      { ...radio, page: 1, label: 'By bank' },
      { ...radio, page: 3, label: 'In cash' },
    ]);
    expect((await partsOf(id)).data.map(({ fields }: { fields: number }) => fields)).toEqual([2, 2, 0]);
    await order(id, [1, 3]);
    expect(await fieldsOf(id)).toEqual([]);
  });

  test('fields that are calculated from those of a removed file go too, and the others still refer to theirs', async () => {
    const id = await threeFiles();
    const number = { recipient: 1, type: 'number' } as const;
    await placeOn(app, company, id, [
      { ...number, page: 1, label: 'Rooms' },
      { ...number, page: 4, label: 'Price' },
      { ...number, page: 4, y: 300, label: 'Twice', formula: '{2} * 2' },
      { ...number, page: 5, label: 'Total', formula: '{1} * {3}' },
    ]);
    expect((await partsOf(id)).data.map(({ fields }: { fields: number }) => fields)).toEqual([2, 0, 3]);
    await order(id, [2, 3, 1]);
    expect(await fieldsOf(id)).toMatchObject([
      { label: 'Rooms', page: 5 },
      { label: 'Price', page: 2 },
      { label: 'Twice', page: 2, formula: '{2} * 2' },
      { label: 'Total', page: 3, formula: '{1} * {3}' },
    ]);
    await order(id, [1, 2]);
    expect(await fieldsOf(id)).toMatchObject([
      { label: 'Price', page: 2 },
      { label: 'Twice', page: 2, formula: '{1} * 2' },
    ]);
  });

  test('a single file that is left is byte for byte the one that was added', async () => {
    const id = await withFields();
    const { body } = await order(id, [3]);
    expect(body.file).toMatchObject({ name: 'Annex.pdf', sha256: sha256(annex), parts: [] });
    expect(await fieldsOf(id)).toMatchObject([{ type: 'text', page: 2 }]);
    expect(await miscounted()).toEqual([]);
  });

  test('wrong orders are refused', async () => {
    const id = await threeFiles();
    for (const parts of [[], [1, 1, 2], [4], [0], ['1'], null, Array.from({ length: 21 }, (_n, i) => i + 1)]) {
      expect(refusal(await order(id, parts))).toEqual([400, 'invalid_input']);
    }
    const { version } = await viewOf(id);
    expect((await order(id, [2, 1, 3], version)).status).toBe(200);
    expect(refusal(await order(id, [2, 1, 3], version))).toEqual([409, 'changed_meanwhile']);
    expect(refusal(await order(await draft(), [1]))).toEqual([400, 'invalid_input']);
  });

  const replace = (id: string, pdf: Uint8Array, query = '') =>
    member.upload(`/documents/${id}/file?name=New.pdf${query}`, new Uint8Array(pdf));

  test('a PDF that replaces the file replaces all of them', async () => {
    const id = await withFields();
    expect((await replace(id, terms, '&remove_fields=true')).body.fields_kept).toBe(0);
    expect(await namesOf(id)).toEqual(['New.pdf']);
    expect(await fieldsOf(id)).toEqual([]);
    expect(await miscounted()).toEqual([]);
  });

  test('a corrected PDF keeps the fields that fit, and removes others only when that is asked for', async () => {
    const id = await draft();
    await add(id, 'Contract.pdf', contract);
    const place = { recipient: 1, type: 'text', page: 1 } as const;
    await placeOn(app, company, id, [
      { ...place, page: 2, label: 'Annex' },
      { ...place, y: 400, label: 'At the edge' },
      { ...place, y: 370, label: 'Inside', type: 'number' },
      { ...place, y: 100, label: 'Double', type: 'number', formula: '{3} * 2' },
    ]);
    const before = await fieldsOf(id);
    expect((await replace(id, makePdf(pagesOf('Contract 1 corrected', '2')))).body.fields_kept).toBe(4);
    expect(await fieldsOf(id)).toEqual(before);

    const small = makePdf({ pages: [{ width: 300, height: 400 }] });
    const { status, body } = await replace(id, small);
    expect([status, body.error]).toMatchObject([409, { code: 'fields_unfit', value: '2' }]);
    expect(await fieldsOf(id)).toEqual(before);
    expect((await viewOf(id)).file.pages).toHaveLength(2);

    expect((await replace(id, small, '&remove_fields=true')).body.fields_kept).toBe(2);
    expect(await fieldsOf(id)).toMatchObject([
      { label: 'Inside', y: 370 },
      { label: 'Double', formula: '{1} * 2' },
    ]);
    expect(await miscounted()).toEqual([]);
  });

  test('a PDF that replaces another version than the current one is refused', async () => {
    const id = await draft();
    await add(id, 'Contract.pdf', contract);
    const { version } = await viewOf(id);
    await placeOn(app, company, id, [{ recipient: 1, type: 'signature' }]);
    expect(refusal(await replace(id, terms, `&version=${version}`))).toEqual([409, 'changed_meanwhile']);
    expect(refusal(await replace(id, terms, '&version=1.5'))).toEqual([400, 'invalid_input']);
    expect((await replace(id, terms, `&version=${(await viewOf(id)).version}`)).status).toBe(200);
    expect(await fieldsOf(id)).toHaveLength(1);
  });
});

test('copies and templates have the files too, and deleting one leaves the others theirs', async () => {
  const id = await threeFiles();
  const copied = (await member.post(`/documents/${id}/copy`)).body.id;
  const template = (await member.post(`/documents/${id}/template`)).body.id;
  expect(await namesOf(copied)).toEqual(['Contract.pdf', 'Terms.pdf', 'Annex.pdf']);
  expect((await order(template, [2, 1])).status).toBe(200);
  expect(await namesOf(template)).toEqual(['Terms.pdf', 'Contract.pdf']);
  expect(await namesOf(id)).toHaveLength(3);
  expect(await miscounted()).toEqual([]);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.call('DELETE', `/templates/${template}`)).status).toBe(200);
  expect(await miscounted()).toEqual([]);
});

test('erasing a company releases every file', async () => {
  const other = await createCompany(app);
  const visitor = await signedIn(app, await addMember(app, other.id, 'member'));
  const id = await createDraft(app, other.key, { title: 'Lease', recipients: [ada] });
  for (const pdf of [contract, annex]) expect((await add(id, 'One.pdf', pdf, visitor)).status).toBe(200);
  expect(await eraseSomeDocuments(app.world, app.db, other.id)).toEqual({ documents: 1, people: 0 });
  const left = { name: 'left', text: 'select from document_parts where document_id = $1', values: [id] };
  expect(await app.db.query(left)).toEqual([]);
  expect(await miscounted()).toEqual([]);
});

test('a data export has the joined file and each original', async () => {
  const other = await createCompany(app);
  const visitor = await signedIn(app, await addMember(app, other.id, 'member'));
  const id = await createDraft(app, other.key, { title: 'Lease', recipients: [ada] });
  for (const pdf of [contract, annex]) await add(id, 'One.pdf', pdf, visitor);
  const { file } = (await visitor.get(`/documents/${id}`)).body;
  await app.db.transaction(async (tx) => {
    const listed: ListedFile[] = [];
    for await (const some of listFiles(tx, other.id)) listed.push(...some);
    expect(listed.map(({ name, sha256: hex }) => [name, hex])).toEqual([
      ['original.pdf', file.sha256],
      ['part-1.pdf', sha256(contract)],
      ['part-2.pdf', sha256(annex)],
    ]);
    expect(await sumFiles(tx, other.id)).toBe(file.bytes + contract.length + annex.length);
  });
});
