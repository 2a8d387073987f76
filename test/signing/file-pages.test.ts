import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachPdf } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openLinkOf, type Signer, signature, withCode } from './signer.ts';

/** Only recipients who may see the document, also after they have signed, get the pages of its file. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

async function sentTo(recipients: object[], content: object = {}, title = 'Lease') {
  const id = await createDraft(app, company.key, { recipients, content, title });
  await attachPdf(app, company, id, {
    pages: [{ text: 'Rent: 100' }, { text: 'Signed below', entries: '/Rotate 90' }],
  });
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  return { id, open: (name: string) => openLinkOf(app, company, id, name) };
}

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const mia = { name: 'Mia Chen', email: 'mia@example.com', role: 'cc' };

const statuses = async (signer: Signer) =>
  Promise.all(['/pages/1', '/pages/2/text', '/unsigned.pdf'].map(async (path) => (await signer.page(path)).status));

test('each page as a picture of the width asked for, and as text with its place', async () => {
  const { open } = await sentTo([ada]);
  const signer = await open(ada.name);
  const picture = await signer.page('/pages/1?width=600');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(picture.headers.get('cache-control')).toBe('no-store');
  expect(picture.text.slice(8, 12)).toBe('WEBP');
  const sizes = await Promise.all(
    ['600', '601', '1200', '', '99999', 'nonsense', '-1'].map(async (width) => {
      const answer = await signer.page(`/pages/1${width === '' ? '' : `?width=${width}`}`);
      return Number(answer.headers.get('content-length'));
    }),
  );
  const [small, medium, large, usual, largest] = sizes as [number, number, number, number, number];
  expect(small < medium && medium < large && large < largest).toBe(true);
  expect(usual).toBe(large);
  const text = await signer.page('/pages/2/text');
  expect(text.body).toEqual({
    lines: [
      {
        text: 'Signed below',
        x: expect.any(Number),
        y: expect.any(Number),
        width: expect.any(Number),
        height: expect.any(Number),
      },
    ],
  });
});

test.each(['0', '3', '01', '1.0', '-1', 'x', '999999999999', '%00'])('there is no page %s', async (page) => {
  const { open } = await sentTo([ada]);
  const signer = await open(ada.name);
  expect((await signer.page(`/pages/${page}`)).status).toBe(404);
  expect((await signer.page(`/pages/${page}/text`)).status).toBe(404);
});

test('a document without a file has no pages, nor has a link that nobody has', async () => {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(await statuses(await openLinkOf(app, company, id, ada.name))).toEqual([404, 404, 404]);
  const origin = new URL(app.baseUrl).origin;
  expect((await fetch(`${origin}/sign/${'x'.repeat(43)}/pages/1`)).status).toBe(404);
});

test('shown while open, once signed and once completed; not before one’s turn, nor to a copy before the end', async () => {
  const { open } = await sentTo([ada, grace, mia], { sign_order_mode: 'sequential' });
  const [first, second, copy] = [await open(ada.name), await open(grace.name), await open(mia.name)];
  expect(await statuses(first)).toEqual([200, 200, 200]);
  expect(await statuses(second)).toEqual([409, 409, 409]);
  expect(await statuses(copy)).toEqual([409, 409, 409]);
  expect((await second.page()).text).not.toContain('Lease.pdf');
  await first.post('sign', signature);
  expect(await statuses(first)).toEqual([200, 200, 200]);
  expect(await statuses(second)).toEqual([200, 200, 200]);
  await second.post('sign', { ...signature, full_name: grace.name });
  for (const signer of [first, second, copy]) expect(await statuses(signer)).toEqual([200, 200, 200]);
});

test('once sealed, the sealed pages are shown to each recipient of the document and nobody else, and saved by the title', async () => {
  const title = `Lease "A"; filename=evil.exe; 'x' *(1)/../<b> 名😀 \u202egpj`;
  const { open } = await sentTo([ada, mia], {}, title);
  const [signer, copy] = [await open(ada.name), await open(mia.name)];
  const sealedTo = async (one: Signer) => (await one.page('/sealed/1?width=600')).status;
  expect([await sealedTo(signer), await sealedTo(copy)]).toEqual([404, 409]);
  await signer.post('sign', signature);
  await eventually(
    () => sealedTo(signer),
    (status) => status === 200,
  );
  expect(await sealedTo(copy)).toBe(200);
  expect((await copy.page('/sealed/1/text')).text).toContain('Rent: 100');
  // The certificate comes after the two pages of the file.
  expect((await copy.page('/sealed/3')).headers.get('content-type')).toBe('image/webp');
  for (const page of ['0', '999', 'x']) expect((await signer.page(`/sealed/${page}`)).status).toBe(404);
  expect((await signer.page()).text).toContain('/sealed');
  expect(await sealedTo(await (await sentTo([ada])).open(ada.name))).toBe(404);

  const header = (await signer.page('/document.pdf')).headers.get('content-disposition') ?? '';
  // RFC 8187: only these characters stand for themselves.
  const name = /^attachment; filename="document\.pdf"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/.exec(
    header,
  );
  expect(decodeURIComponent(name?.[1] ?? '')).toBe(`${title}.pdf`);
});

test('a document that ended otherwise shows its pages no more', async () => {
  const { open } = await sentTo([ada, grace]);
  const signer = await open(ada.name);
  await (await open(grace.name)).post('decline', { reason: 'No' });
  expect(await statuses(signer)).toEqual([409, 409, 409]);
  const expiring = await sentTo([ada], { expires_in_days: 1 });
  const late = await expiring.open(ada.name);
  app.clock.advance({ days: 2 });
  expect(await statuses(late)).toEqual([409, 409, 409]);
});

test('before the code nothing of the file is shown, and after Finish nothing any more', async () => {
  const { open } = await sentTo([withCode]);
  const signer = await open(withCode.name);
  expect(await statuses(signer)).toEqual([403, 403, 403]);
  expect((await signer.page()).text).not.toContain('Lease.pdf');
  await signer.verify(await signer.sendCode());
  expect(await statuses(signer)).toEqual([200, 200, 200]);
  expect(await statuses(signer.elsewhere())).toEqual([403, 403, 403]);
  await signer.post('sign', signature);
  expect(await statuses(signer)).toEqual([200, 200, 200]);
  await signer.post('finish');
  expect(await statuses(signer)).toEqual([403, 403, 403]);
});

test('the page of a long file is compressed for a browser that takes it, and the same for one that does not', async () => {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await attachPdf(app, company, id, { pages: Array.from({ length: 80 }, () => ({ text: '' })) });
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const signer = await openLinkOf(app, company, id, ada.name);
  const pageAs = async (encoding: string) => {
    const { headers, text } = await signer.page('', { 'accept-encoding': encoding });
    return { encoding: headers.get('content-encoding'), bytes: Number(headers.get('content-length')), text };
  };
  const [packed, plain] = [await pageAs('br, gzip'), await pageAs('identity')];
  expect([packed.encoding, plain.encoding]).toEqual(['gzip', null]);
  expect(packed.bytes).toBeLessThan(plain.bytes / 4);
  expect(packed.text).toBe(plain.text);
});
