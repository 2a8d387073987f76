import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnSignature, makePng } from '../../src/sealing/testing/sample-png.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { readQr } from './read-qr.ts';
import { type Signer, signature, signerOf } from './signer.ts';

/** Pictures take time to check, so they are checked for those who can sign, and not without end. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] };
const drawn = (png: Buffer) => ({ ...signature, signature: { kind: 'drawn', png: png.toString('base64') } });
const unreadable = drawn(Buffer.from('unreadable'));
const blank = drawn(makePng({ width: 60, height: 20, rows: Buffer.alloc((60 * 4 + 1) * 20) }));

async function codeOf(answer: ReturnType<Signer['post']>) {
  const { status, body } = await answer;
  return [status, body.error?.code ?? body.state];
}

test('a picture is not looked at for a link with which nobody can sign', async () => {
  const { signer } = await signerOf(app, company, ada);
  const response = await fetchLocally(`${new URL(app.baseUrl).origin}/sign/unknown/sign`, {
    method: 'POST',
    headers: {},
    body: JSON.stringify(unreadable),
  });
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([404, 'link_unknown']);
  expect(await codeOf(signer.post('sign', unreadable))).toEqual([400, 'invalid_signature']);
  await signer.post('decline', { reason: 'Not mine.' });
  expect(await codeOf(signer.post('sign', unreadable))).toEqual([409, 'already_declined']);

  const locked = (await signerOf(app, company)).signer;
  expect(await codeOf(locked.post('sign', unreadable))).toEqual([403, 'verification_required']);
});

test('who has signed gets the outcome again, whatever the second picture is', async () => {
  const { signer } = await signerOf(app, company, ada);
  expect(await codeOf(signer.post('sign', drawn(drawnSignature())))).toEqual([200, 'completed']);
  expect(await codeOf(signer.post('sign', unreadable))).toEqual([200, 'completed']);
});

test('a recipient can send 60 pictures in an hour, in the page and from a phone, and can type after that', async () => {
  const { signer } = await signerOf(app, company, ada);
  const drawing = (await signer.post('phone-drawing', { mark: 'signature' })).body.drawing;
  const phone = () =>
    fetchLocally(`${readQr(drawing.qr)}/drawing`, {
      method: 'POST',
      headers: {},
      body: JSON.stringify(blank.signature),
    });
  expect((await phone()).status).toBe(400);
  for (let sent = 1; sent < 60; sent += 1) {
    expect(await codeOf(signer.post('sign', blank))).toEqual([400, 'invalid_signature']);
  }
  const refused = await signer.post('sign', drawn(drawnSignature()));
  expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_uploads']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect((await phone()).status).toBe(429);
  expect(await codeOf(signer.post('sign', signature))).toEqual([200, 'completed']);
});
