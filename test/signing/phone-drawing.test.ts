import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { finishErasures, requestErasure } from '../../src/erasure/erase-account.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { expiredSessions } from '../../src/retention/expired-sessions.ts';
import { drawnSignature, makePng } from '../../src/sealing/testing/sample-png.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { readQr } from './read-qr.ts';
import { actionsOf, openLinkOf, type Signer, signature, signerOf } from './signer.ts';

/** A signature drawn on a phone for a page that is open on another screen: what the two may see and do. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const png = drawnSignature().toString('base64');

async function open(changes: object = {}): Promise<{ id: string; signer: Signer }> {
  const id = await createSent(app, company.key, { title: 'Lease of the mill', recipients: [ada], ...changes });
  return { id, signer: await openLinkOf(app, company, id, ada.name) };
}

async function requestFrom(signer: Signer, mark = 'signature'): Promise<{ id: string; address: string }> {
  const { status, body } = await signer.post('phone-drawing', { mark });
  expect(status).toBe(200);
  return { id: body.drawing.id, address: readQr(body.drawing.qr) };
}

const progress = async (signer: Signer, id: string) => (await signer.page(`/phone-drawing/${id}`)).body;

async function phone(address: string, action = '', body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetchLocally(`${address}${action}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test('what a phone draws arrives at the page that asked, and signing is done there', async () => {
  const { id, signer } = await open();
  const { id: drawing, address } = await requestFrom(signer);
  expect(new URL(address).origin).toBe(new URL(app.baseUrl).origin);
  expect(await progress(signer, drawing)).toEqual({ state: 'waiting' });

  const page = await phone(address);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Lease of the mill');
  expect(page.text).not.toContain(new URL(signer.link).pathname);
  expect(await progress(signer, drawing)).toEqual({ state: 'waiting' }); // a GET changes nothing

  expect((await phone(address, '/opened', {})).status).toBe(200);
  expect(await progress(signer, drawing)).toEqual({ state: 'opened' });
  expect((await phone(address, '/drawing', { png })).status).toBe(200);
  expect(await progress(signer, drawing)).toEqual({ state: 'drawn', png });
  expect((await phone(address)).text).toContain('Your drawing was sent');
  expect(await actionsOf(app, company, id)).not.toContain('signed');

  const signed = await signer.post('sign', { ...signature, signature: { kind: 'drawn', png } });
  expect(signed.body).toEqual({ state: 'completed' });
  expect((await signer.page(`/phone-drawing/${drawing}`)).status).toBe(409);
});

test('the first drawing counts: it may come twice, and no other follows it', async () => {
  const { signer } = await open();
  const { id, address } = await requestFrom(signer);
  const answers = await Promise.all([1, 2, 3].map(() => phone(address, '/drawing', { png })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const other = makePng({ width: 10, height: 10, colourType: 6, bitDepth: 8 }).toString('base64');
  expect((await phone(address, '/drawing', { png: other })).status).toBe(404);
  expect(await progress(signer, id)).toEqual({ state: 'drawn', png });
});

test('the title of the document cannot turn around what follows it', async () => {
  const { signer } = await open({ title: 'Lease \u202eof the mill' });
  const { text } = await phone((await requestFrom(signer)).address);
  expect(text.match(/Lease of the mill/g)).toHaveLength(2);
  expect(text).not.toContain('\u202e');
});

test('a new code replaces the last one of the same mark only', async () => {
  const { signer } = await open();
  const [first, initials] = [await requestFrom(signer), await requestFrom(signer, 'initials')];
  const second = await requestFrom(signer);
  expect((await phone(first.address)).status).toBe(404);
  expect((await phone(first.address, '/drawing', { png })).status).toBe(404);
  expect(await progress(signer, first.id)).toEqual({ state: 'ended' });
  expect((await phone(initials.address)).text).toContain('Draw your initials');
  expect((await phone(second.address, '/drawing', { png })).status).toBe(200);
  expect(await progress(signer, initials.id)).toEqual({ state: 'waiting' });
});

test('a code ends after ten minutes, and its row is removed soon after', async () => {
  const { signer } = await open();
  const { id, address } = await requestFrom(signer);
  expect((await phone(address, '/drawing', { png })).status).toBe(200);
  app.clock.advance({ minutes: 10 });
  expect((await phone(address)).status).toBe(404);
  expect((await phone(address, '/opened', {})).status).toBe(404);
  expect((await phone(address, '/drawing', { png })).status).toBe(404);
  expect(await progress(signer, id)).toEqual({ state: 'ended' });

  const retained = expiredSessions(app.db, 30).find(({ name }) => name === 'phone_drawings');
  await retained?.removeBatch(app.clock.now());
  expect(await rowsOf(signer.recipientId)).toBe(0);
});

test('only a recipient who could sign now can ask, and only about their own drawing', async () => {
  const { signer: locked } = await signerOf(app, company);
  expect((await locked.post('phone-drawing', { mark: 'signature' })).status).toBe(403);
  const drawn = await open();
  const { id } = await requestFrom(drawn.signer);
  const other = await open();
  expect(await progress(other.signer, id)).toEqual({ state: 'ended' });
  for (const odd of ['x', `${id}0`, '%00', "'"]) {
    const { status, body } = await drawn.signer.page(`/phone-drawing/${encodeURIComponent(decodeURIComponent(odd))}`);
    expect([status, body?.state]).toEqual([200, 'ended']);
  }
  await drawn.signer.post('decline', { reason: 'No.' });
  expect((await drawn.signer.post('phone-drawing', { mark: 'signature' })).status).toBe(409);
  expect((await drawn.signer.page(`/phone-drawing/${id}`)).status).toBe(409);
});

test('the code of a person ends when somebody else takes the place', async () => {
  const { id: documentId, signer } = await open();
  const { address } = await requestFrom(signer);
  await app.db.query({
    name: '',
    text: 'update recipients set holder = holder + 1 where id = $1',
    values: [signer.recipientId],
  });
  expect((await phone(address)).status).toBe(404);
  expect((await phone(address, '/drawing', { png })).status).toBe(404);
  const next = await openLinkOf(app, company, documentId, ada.name);
  expect((await requestFrom(next)).address).not.toBe(address);
});

test('what is no drawing, comes from elsewhere, or asks for something else is refused', async () => {
  const { signer } = await open();
  const { id, address } = await requestFrom(signer);
  const noDrawings: unknown[] = [
    {},
    [],
    '',
    'null',
    '{',
    { png: 1 },
    { png: '' },
    { png: 'AAAA' },
    { png: `${png}\u0000` },
  ];
  const tooLarge = makePng({ width: 2001, height: 10, colourType: 6, bitDepth: 8 }).toString('base64');
  for (const body of [...noDrawings.slice(0, -1), { png: tooLarge }]) {
    expect((await phone(address, '/drawing', body)).status, JSON.stringify(body)).toBe(400);
  }
  const foreign = { origin: 'https://evil.example' };
  expect((await phone(address, '/drawing', { png }, foreign)).status).toBe(400);
  expect((await phone(address, '/opened', {}, foreign)).status).toBe(400);
  expect((await signer.post('phone-drawing', { mark: 'signature' }, foreign)).status).toBe(400);
  for (const mark of [undefined, null, 'stamp', 1]) {
    expect((await signer.post('phone-drawing', { mark })).status).toBe(400);
  }
  for (const token of ['', 'x', '%00', 'a'.repeat(43), 'a'.repeat(5000)]) {
    const { status } = await phone(`${new URL(address).origin}/draw/${token}`, '/drawing', { png });
    expect([404, 414, 431]).toContain(status);
  }
  expect(await progress(signer, id)).toEqual({ state: 'waiting' });
});

test('removing and erasing the company erases its drawings', async () => {
  const other = await createCompany(app);
  const id = await createSent(app, other.key, { title: 'Lease of the farm', recipients: [ada] });
  const signer = await openLinkOf(app, other, id, ada.name);
  await requestFrom(signer);
  // A message under way makes a link of its own, and the erasure would be repeated.
  await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox'), { to: ada.email }),
    (messages) => messages.some(({ subject }) => subject?.includes('Lease of the farm')),
  );
  await app.db.transaction((tx) => removeAccount(app.world, tx, other.id));
  await requestErasure(app.world, app.db, other.id);
  await finishErasures(app.world, app.db, new AbortController().signal);
  expect(await rowsOf(signer.recipientId)).toBe(0);
});

async function rowsOf(recipientId: string): Promise<number> {
  const rows = await app.db.query({
    name: '',
    text: 'select from phone_drawings where recipient_id = $1',
    values: [recipientId],
  });
  return rows.length;
}
