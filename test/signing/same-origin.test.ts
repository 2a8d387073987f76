import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { openLinkOf, type Signer, signature, signerOf, withCode } from './signer.ts';

/** A page of another site cannot make a visitor's browser sign or send any other POST. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const actions = ['viewed', 'code', 'verify', 'sign', 'decline', 'finish'];
const plain = { recipients: [{ ...withCode, auth_level: 'l0_email_link' }] };

const statusOf = async (signer: Signer, action: string, headers: Record<string, string>) =>
  (await signer.post(action, { ...signature, reason: 'No', code: '000000' }, headers)).status;

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['no origin that it would name', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
  ['an address typed in', { 'sec-fetch-site': 'none' }],
])('nothing that is posted from %s is done', async (_where, headers) => {
  const { signer } = await signerOf(app, company, plain);
  for (const action of actions) expect(await statusOf(signer, action, headers), action).toBe(400);
  expect((await signer.page()).text).toContain('data-state="open"');
});

test('what our own page posts is done, under whatever name it was opened', async () => {
  const { port } = new URL(app.baseUrl);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
    const { id } = await signerOf(app, company, plain);
    const signer = await openLinkOf({ ...app, baseUrl: `http://${host}/api/v1` }, company, id, withCode.name);
    expect(await statusOf(signer, 'sign', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }), host).toBe(
      200,
    );
  }
});

test('with a public address only its pages count, and the cookie stays on TLS', async () => {
  const port = await freePort();
  const env = { PUBLIC_URL: 'https://sign.example.com', PORT: port, TRUST_PROXY: '127.0.0.1' };
  const named = await startTestService({ env, databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const { id } = await signerOf(app, company, {}, company.testKey);
    const local = { ...named, baseUrl: `http://127.0.0.1:${port}/api/v1` };
    const signer = await openLinkOf(local, company, id, withCode.name);
    const from = (origin: string) => ({ 'x-forwarded-host': 'sign.example.com', origin });
    for (const origin of [
      'http://sign.example.com',
      'https://sign.example.com:8443',
      'https://sign.example.com.evil.example',
      `http://127.0.0.1:${port}`,
    ]) {
      expect(await statusOf(signer, 'viewed', from(origin)), origin).toBe(400);
    }
    const ours = from('https://sign.example.com');
    const { body } = await signer.post('code', {}, ours);
    const verified = await signer.post('verify', { code: body.code }, ours);
    expect(verified.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  } finally {
    await named.stop();
  }
});
