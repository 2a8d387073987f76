import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { openLinkOf, signature } from './signer.ts';

/** A document with several files: what recipients see, and what is sealed. */
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
const contract = makePdf({ pages: [{ text: 'Contract 1' }, { text: 'Contract 2', entries: '/Rotate 90' }] });
const terms = makePdf({ pages: [{ text: 'Terms 1' }] });
const hostileName = '"><script>alert(1)</script> ünïcode.pdf';

async function sentWithFiles(files: ReadonlyArray<readonly [name: string, pdf: Buffer]>, changes: object = {}) {
  const id = await createDraft(app, company.key, { title: 'Lease of the mill', recipients: [ada], ...changes });
  for (const [name, pdf] of files) {
    const path = `/documents/${id}/parts?name=${encodeURIComponent(name)}`;
    expect((await member.upload(path, new Uint8Array(pdf))).status).toBe(200);
  }
  const pages = files.length === 1 ? 1 : 3;
  const [mark] = await placeOn(app, company, id, [{ recipient: 1, type: 'signature', page: pages }]);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, mark: mark?.id ?? '', signer: await openLinkOf(app, company, id, ada.name) };
}

test('recipients see one sequence of pages, with links to each file and a heading above its first page', async () => {
  const { signer } = await sentWithFiles([
    ['Contract.pdf', contract],
    [hostileName, terms],
  ]);
  for (const path of ['', '/form']) {
    const { text } = await signer.page(path);
    expect(text).toContain('<nav class="file-parts" aria-label="Files">');
    expect(text.match(/<h3 class="part-heading" id="part-\d"[^>]*>/g)).toHaveLength(2);
    expect(text).toMatch(/<h3 class="part-heading" id="part-1"[^>]*>Contract<\/h3>\s*<div class="sheet" id="page-1"/);
    expect(text).toMatch(/id="part-2"[^>]*>[^<]*script[^<]* ünïcode<\/h3>\s*<div class="sheet" id="page-3"/);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('Page 1 of 3');
  }
  expect((await signer.page('/pages/3?width=600')).headers.get('content-type')).toBe('image/webp');
});

test('a single file is shown without headings', async () => {
  const { signer } = await sentWithFiles([['Contract.pdf', contract]]);
  const { text } = await signer.page();
  expect(text).not.toContain('part-heading');
  expect(text).not.toContain('file-parts');
});

test.each([
  ['en', 'Joined from', '1. Contract.pdf, pages 1 to 2', '2. Terms.pdf, page 3'],
  ['es', 'Formado por', '1. Contract.pdf, páginas 1 a 2', '2. Terms.pdf, página 3'],
])('the sealed PDF lists name, pages and SHA-256 of each file (%s)', async (primary_language, ...said) => {
  const { id, mark, signer } = await sentWithFiles(
    [
      ['Contract.pdf', contract],
      ['Terms.pdf', terms],
    ],
    { primary_language },
  );
  const signed = await signer.post('sign', { ...signature, fields: { [mark]: 'true' } });
  expect(signed.body).toEqual({ state: 'completed' });
  const sealed = await sealedPdf(app, id);
  const text = pdfText(sealed).replace(/\s+/g, ' ');
  for (const each of [...said, 'Contract 1', 'Contract 2', 'Terms 1']) expect(text).toContain(each);
  const printed = text.replaceAll(' ', '');
  for (const pdf of [contract, terms]) {
    expect(printed).toContain(createHash('sha256').update(pdf).digest('hex'));
  }
});
