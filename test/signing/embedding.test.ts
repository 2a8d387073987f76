import { afterAll, beforeAll, expect, test } from 'vitest';
import { setEmbedOrigins } from '../../src/accounts/embed-origins.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { openLinkOf, type Signer, signerOf as signerWith } from './signer.ts';

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

const signerWithCode = () => signerWith(app, company);

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
  // Browsers that don't say where a page goes: if they know the policy, they ignore the older header.
  expect(await framing(signer)).toEqual([listed.join(' '), 'DENY']);
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

test('only a page in a frame of a listed site gets a cookie for frames, and a stale cookie is no obstacle', async () => {
  const { signer: ada } = await signerWithCode();
  const enter = async (body: object) => {
    const { headers, body: answer } = await ada.post('verify', { code: await ada.sendCode(), ...body });
    return [answer.state, headers.get('set-cookie')];
  };
  await allow([]);
  expect(await enter({ framed: true })).toEqual(['open', expect.stringMatching(/verified_.*; SameSite=Strict$/)]);
  await app.db.query({
    name: '',
    text: 'delete from verifications where recipient_id = $1',
    values: [ada.recipientId],
  });
  await allow(listed);
  expect(await enter({ framed: true })).toEqual(['open', expect.stringMatching(/framed_.*None; Secure; Partitioned$/)]);
  expect([...ada.cookies.keys()]).toHaveLength(2);
  expect((await ada.post('viewed')).body.state).toBe('open');
  await ada.post('finish');
  expect([...ada.cookies.keys()]).toEqual([]);
});

test('a new code ends the oldest cookies of other recipients, which a browser that is never closed keeps', async () => {
  const { signer: ada } = await signerWithCode();
  const others = Array.from({ length: 25 }, (_, index) => `countersign_verified_${`${index}`.padStart(36, '0')}`);
  for (const name of others) ada.cookies.set(name, 'x');
  expect((await ada.verify(await ada.sendCode())).body.state).toBe('open');
  expect([...ada.cookies.keys()]).toEqual([...others.slice(5), `countersign_verified_${ada.recipientId}`]);
  expect((await ada.post('viewed')).body.state).toBe('open');
});

test('other sites may load the script, which is small', async () => {
  const address = `${new URL(app.baseUrl).origin}/embed.js`;
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect((await response.text()).length).toBeLessThan(2048);
  const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});
