import { afterAll, beforeAll, expect, test } from 'vitest';
import { setEmbedOrigins } from '../../src/accounts/embed-origins.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { openLinkOf, type Signer } from './signer.ts';

/** Who may show a signing page in a frame, as its headers say. `test/browser/embedded.test.ts` tries it in a browser. */
let app: TestService;
let company: Company;
let signer: Signer;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  signer = await signerOf(company);
});
afterAll(() => app.stop());

const listed = ['https://app.example.com', 'http://localhost:5173'];
const allow = (origins: string[]) =>
  app.db.transaction((tx) => setEmbedOrigins(app.world, tx, company.id, origins, null));

async function signerOf(of: Company): Promise<Signer> {
  const recipient = { name: 'Ada Lovelace', email: 'ada@example.com' };
  return openLinkOf(app, of, await createSent(app, of.key, { recipients: [recipient] }), recipient.name);
}

async function framing(of: Signer, path = '', destination?: string): Promise<unknown> {
  const { headers } = await of.page(path, destination === undefined ? {} : { 'sec-fetch-dest': destination });
  const [, ancestors] = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? [];
  return [ancestors, headers.get('x-frame-options')];
}

const nobody = ["'none'", 'DENY'];

test('nobody may, until the company lists a site, and then only that one', async () => {
  expect(await framing(signer, '', 'iframe')).toEqual(nobody);
  await allow(listed);
  expect(await framing(signer, '', 'iframe')).toEqual([listed.join(' '), null]);
  expect(await framing(signer, '/form', 'iframe')).toEqual([listed.join(' '), null]);
  expect(await framing(signer)).toEqual([listed.join(' '), null]); // browsers that don't say where a page goes
  await allow([]);
  expect(await framing(signer, '', 'iframe')).toEqual(nobody);
});

test('the sites of one company show no page of another, and unknown links show nowhere', async () => {
  await allow(listed);
  expect(await framing(await signerOf(await createCompany(app)), '', 'iframe')).toEqual(nobody);
  const unknown = { ...signer, page: (_: string, headers = {}) => signer.page('x', headers) };
  expect(await framing(unknown, '', 'iframe')).toEqual(nobody);
});

test('a page that is no frame stays as strict as before', async () => {
  await allow(listed);
  for (const destination of ['document', 'object', 'embed', 'empty']) {
    expect(await framing(signer, '', destination)).toEqual(nobody);
  }
});

test('only a page in a frame gets a cookie for frames', async () => {
  const cookieOf = async (body: object) => (await signer.post('finish', body)).headers.get('set-cookie');
  await allow(listed);
  expect(await cookieOf({})).toMatch(/; SameSite=Strict$/);
  expect(await cookieOf({ framed: true })).toMatch(/; SameSite=None; Secure; Partitioned$/);
  await allow([]);
  expect(await cookieOf({ framed: true })).toMatch(/; SameSite=Strict$/);
});

test('other sites may load the script, which is small', async () => {
  const address = `${new URL(app.baseUrl).origin}/embed.js`;
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect((await response.text()).length).toBeLessThan(2048);
  const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});
