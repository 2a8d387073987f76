import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAudit } from '../../src/documents/audit.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { createPublicLink } from '../support/public-link.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { type Signer, signerOf } from './signer.ts';

/** Requests that the service refuses before it looks at them. People get a page, and the page's script gets JSON. */
let app: TestService;
let company: Company;

const requestsPerMinute = 20;

beforeAll(async () => {
  app = await startTestService({
    env: { TRUST_PROXY: '127.0.0.1', IP_REQUESTS_PER_MINUTE: String(requestsPerMinute), MAX_BODY_BYTES: '100000' },
  });
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] };

async function submit({ link }: Signer, body: string, headers: Record<string, string> = {}) {
  const response = await fetchLocally(`${link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const actionsOf = async (id: string) => (await readAudit(app.db, company.id, id)).map(({ action }) => action);

test('a form that is too large is answered with a page, and nothing is recorded', async () => {
  const { id, signer } = await signerOf(app, company, ada);
  const before = await actionsOf(id);
  const answer = await submit(signer, `action=sign&full-name=${'x'.repeat(100_000)}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  expect(answer.text).toContain('You sent too much at once');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const spanish = await submit(signer, `full-name=${'x'.repeat(20_000_000)}`, { 'accept-language': 'es' });
  expect(spanish.text).toContain('Envió demasiado a la vez');
  expect(await actionsOf(id)).toEqual(before);
});

test('the script’s requests that are too large are answered with JSON', async () => {
  const { signer } = await signerOf(app, company, ada);
  const { status, body } = await signer.post('sign', { full_name: 'x'.repeat(100_000) });
  expect([status, body.error.code]).toEqual([400, 'request_too_large']);
});

describe('an address with too many requests', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };

  test('gets a page on the pages, and JSON elsewhere, until the time that is named', async () => {
    const { signer } = await signerOf(app, company, ada);
    for (let request = 0; request < requestsPerMinute; request += 1) {
      expect((await signer.page('', headers)).status).toBe(200);
    }
    for (const answer of [
      await signer.page('', headers),
      await signer.page('/form', headers),
      await submit(signer, 'action=begin', headers),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect(answer.text).toContain('Too many requests');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // A link to the form would lose what was entered, a reload sends it again.
    const again = (text: string) => [text.includes('<a class="button'), text.includes('reload this page')];
    expect(again((await signer.page('/form', headers)).text)).toEqual([true, false]);
    expect(again((await submit(signer, 'action=begin', headers)).text)).toEqual([false, true]);
    const script = await signer.post('viewed', {}, headers);
    expect([script.status, script.body.error.code]).toEqual([429, 'ip_throttled']);
    expect((await signer.page()).status).toBe(200);
    app.clock.advance({ minutes: 1 });
    expect((await signer.page('', headers)).status).toBe(200);
  });

  test('is answered at once while the database is slow, also when a frame asks', async () => {
    const { signer } = await signerOf(app, company, ada);
    const { token } = await createPublicLink(app, company);
    const framed = { 'x-forwarded-for': '203.0.113.8', 'sec-fetch-dest': 'iframe' };
    for (let request = 0; request < requestsPerMinute; request += 1) await signer.page('', framed);
    await app.db.transaction(async (tx) => {
      const text = 'lock table signing_links, public_links in access exclusive mode';
      await tx.query({ name: '', text, values: [] });
      for (const path of [new URL(signer.link).pathname, `/link/${token}`]) {
        const address = new URL(path, app.baseUrl);
        const answer = await fetch(address, { headers: framed, signal: AbortSignal.timeout(2000) });
        expect(answer.status).toBe(429);
        expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      }
    });
  });
});

test('a program that fetches the form, as mail gateways do, records nothing', async () => {
  const { id, signer } = await signerOf(app, company, ada);
  const before = await actionsOf(id);
  const answer = await signer.page('/form');
  expect([answer.status, answer.text.includes('<form')]).toEqual([200, true]);
  expect((await fetchLocally(`${signer.link}/form`, { method: 'HEAD', headers: {}, body: null })).status).toBe(200);
  expect(await actionsOf(id)).toEqual(before);
});
