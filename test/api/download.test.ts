import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { readSecretKey } from '../../src/platform/secret-key.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { type Sealed, sealedDocument } from '../verify/sealed.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';

interface S3Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server;

let app: TestService;
let company: Company;
let sealed: Sealed;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  sealed = await sealedDocument(app, company);
});
afterAll(() => app.stop());

async function addressFor(id: string, key = company.key): Promise<string> {
  const { status, body, text } = await call(app, 'GET', `/documents/${id}/download`, { key });
  expect(status, text).toBe(200);
  return body.url;
}

/** Another sealed document, for a test that voids it. */
const anotherSealed = (host: string) => sealedDocument(app, company, host);

test('the address of a sealed PDF comes with its size and digest, and needs no key', async () => {
  const { status, body } = await call(app, 'GET', `/documents/${sealed.id}/download`, { key: company.key });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    object: 'download',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/download\/[\w-]+$/),
    expires_at: new Date(app.clock.now().getTime() + 300_000).toISOString(),
    bytes: sealed.pdf.length,
    sha256: createHash('sha256').update(sealed.pdf).digest('hex'),
  });

  const answer = await fetch(body.url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-length')).toBe(String(sealed.pdf.length));
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; .*Roof%20repair%20%E2%80%94%20phase%202\.pdf$/,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Buffer.from(await answer.arrayBuffer()).equals(sealed.pdf)).toBe(true);
});

test('HEAD answers the headers of the file alone', async () => {
  const address = await addressFor(sealed.id);
  const [head, get] = await Promise.all([fetch(address, { method: 'HEAD' }), fetch(address)]);
  await get.arrayBuffer();
  const named = ['content-type', 'content-length', 'content-disposition', 'cache-control', 'x-content-type-options'];
  const headers = (answer: Response) => named.map((name) => answer.headers.get(name));
  expect([head.status, headers(head), await head.text()]).toEqual([200, headers(get), '']);
  expect(headers(head)[1]).toBe(String(sealed.pdf.length));
  const forged = await fetch(`${address}_`, { method: 'HEAD' });
  expect(forged.status).toBe(404);
});

test('before a document is completed and sealed there is nothing to download', async () => {
  const draft = await createDraft(app, company.key);
  const sent = await createSent(app, company.key);
  for (const id of [draft, sent]) {
    const answer = await call(app, 'GET', `/documents/${id}/download`, { key: company.key });
    expectRefusal(answer, 'document_not_completed', 'status');
  }
});

test('an id that the key may not see is 404, and a key without the scope is refused', async () => {
  const other = await createCompany(app);
  for (const [key, id] of [
    [company.key, '0198f3c2-5b7e-7c41-9d2a-6f1e8b0c4a35'],
    [company.key, 'x'],
    [other.key, sealed.id],
  ] as const) {
    expectRefusal(await call(app, 'GET', `/documents/${id}/download`, { key }), 'document_not_found');
  }
  const { key } = await company.keyWith(['recipients:read']);
  expectRefusal(await call(app, 'GET', `/documents/${sealed.id}/download`, { key }), 'insufficient_scope', 'scopes');
});

test('an address ends after five minutes', async () => {
  const address = await addressFor(sealed.id);
  app.clock.advance({ seconds: 299 });
  expect((await fetch(address)).status).toBe(200);
  app.clock.advance({ seconds: 1 });
  expect((await fetch(address)).status).toBe(404);
});

test('an address that the version before has given out works until its end', async () => {
  const address = new URL(await addressFor(sealed.id));
  const token = address.pathname.slice('/download/'.length);
  // It had the ids and the end, without the hash of the file.
  const grant = Buffer.from(token, 'base64url').subarray(0, 40);
  const secretKey = (await readSecretKey(app.dataDir)) ?? Buffer.of();
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign download', 32));
  const earlier = Buffer.concat([grant, createHmac('sha256', key).update(grant).digest()]);
  address.pathname = `/download/${earlier.toString('base64url')}`;
  const answer = await fetch(address);
  expect(Buffer.from(await answer.arrayBuffer()).equals(sealed.pdf)).toBe(true);
  earlier[0] = (earlier[0] ?? 0) ^ 1;
  address.pathname = `/download/${earlier.toString('base64url')}`;
  expect((await fetch(address)).status).toBe(404);
  app.clock.advance({ minutes: 5 });
});

test('an address ends when its key is revoked', async () => {
  const { id, key } = await company.keyWith(['documents:read']);
  const address = await addressFor(sealed.id, key);
  expect((await fetch(address)).status).toBe(200);
  await app.db.transaction((tx) => revokeKey(app.world, tx, id, null));
  expect((await fetch(address)).status).toBe(404);
});

test('a document that is voided after its completion keeps its sealed PDF', async () => {
  const voided = await anotherSealed('voided.example');
  const address = await addressFor(voided.id);
  await operate(app, voided.id, (tx, document, queue) =>
    voidDocument(app.world, tx, queue, document, 'operator', 'Wrong file'),
  );
  for (const url of [address, await addressFor(voided.id)]) {
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(voided.pdf);
  }
  // Voiding does not undo signatures: members keep the proof of what was signed, with the document's status next to it.
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const kept = await member.get(`/documents/${voided.id}/pdf`);
  expect([kept.status, kept.headers.get('content-length')]).toEqual([200, String(voided.pdf.length)]);
  expect((await member.get(`/documents/${voided.id}`)).body.status).toBe('voided');
});

test('an address ends when its document is restricted', async () => {
  const restricted = await anotherSealed('restricted.example');
  const restrictedAddress = await addressFor(restricted.id);
  await operate(app, restricted.id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'bank'));
  expect((await fetch(restrictedAddress)).status).toBe(404);
  expectRefusal(
    await call(app, 'GET', `/documents/${restricted.id}/download`, { key: company.key }),
    'document_not_found',
  );
});

test('an address ends when its company is removed', async () => {
  const gone = await createCompany(app);
  const { id } = await sealedDocument(app, gone, 'gone.example');
  const address = await addressFor(id, gone.key);
  expect((await fetch(address)).status).toBe(200);
  await app.db.transaction((tx) => removeAccount(app.world, tx, gone.id));
  expect((await fetch(address)).status).toBe(404);
});

test('the signature of one address does not fit the grant of another', async () => {
  const other = await anotherSealed('other.example');
  const [mine, theirs] = await Promise.all([addressFor(sealed.id), addressFor(other.id)]);
  const tokenOf = (address: string) => Buffer.from(new URL(address).pathname.slice('/download/'.length), 'base64url');
  const spliced = Buffer.concat([tokenOf(theirs).subarray(0, -32), tokenOf(mine).subarray(-32)]).toString('base64url');
  expect((await fetch(new URL(`/download/${spliced}`, mine))).status).toBe(404);
});

test('a call spends one unit and is in the request log, without the address', async () => {
  const { headers: before } = await call(app, 'GET', '/account', { key: company.key });
  const { headers: after, body } = await call(app, 'GET', `/documents/${sealed.id}/download`, { key: company.key });
  const left = (headers: Headers) => Number(headers.get('x-ratelimit-remaining-daily'));
  expect(left(after)).toBe(left(before) - 1);
  const lines = await eventually(
    () =>
      app.db.query<{ line: string }>({
        name: '',
        text: `select string_to_table(lines, E'\\n') as line from request_log where account_id = $1`,
        values: [company.id],
      }),
    (rows) => rows.some(({ line }) => line.includes(after.get('x-request-id') as string)),
  );
  const logged = lines.map(({ line }) => line).find((line) => line.includes(after.get('x-request-id') as string));
  expect(logged).toMatch(new RegExp(`\\tGET\\t200\\t\\t\\d+\\t.*/documents/${sealed.id}/download$`));
  const token = new URL(body.url).pathname.slice('/download/'.length);
  expect(lines.map(({ line }) => line).join()).not.toContain(token);
});

test('a file in S3 is sized and served from there', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'download-s3-'));
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'pdfs' }],
  });
  const { port } = await s3.run();
  const inS3 = await startTestService({
    env: {
      FILES_URL: 's3://pdfs/a',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  });
  try {
    const { key } = await createCompany(inS3);
    const id = await createSent(inS3, key);
    await eventually(
      () =>
        signAs(inS3, 'ada@example.com', 'Ada Lovelace').then(
          () => true,
          () => false,
        ),
      (signed) => signed,
    );
    // Until the seal is there, and not after it, the answer is document_not_completed.
    const { body } = await eventually(
      async () => {
        const answer = await call(inS3, 'GET', `/documents/${id}/download`, { key });
        if (answer.status !== 200) expectRefusal(answer, 'document_not_completed', 'status');
        return answer;
      },
      ({ status }) => status === 200,
    );
    const head = await fetch(body.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(body.bytes)]);
    const pdf = Buffer.from(await (await fetch(body.url)).arrayBuffer());
    expect([pdf.length, createHash('sha256').update(pdf).digest('hex')]).toEqual([body.bytes, body.sha256]);
  } finally {
    await inS3.stop();
    await s3.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('no other spelling of an address works, and neither does one with a changed byte', async () => {
  const address = new URL(await addressFor(sealed.id));
  const token = address.pathname.slice('/download/'.length);
  const bytes = Buffer.from(token, 'base64url');
  const forged = [...bytes.keys()].map((index) => {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] as number) ^ 1;
    return changed.toString('base64url');
  });
  for (const spelling of [...forged, `${token}=`, token.slice(0, -1), `${token}A`, 'x', '%00']) {
    expect((await fetch(new URL(`/download/${spelling}`, address))).status, spelling).toBe(404);
  }
});

test('a file that the store has lost is a documented failure', async () => {
  const { id, pdf } = await anotherSealed('lost.example');
  const address = await addressFor(id);
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  const directory = join(app.dataDir, 'files/sha256', sha256.slice(0, 2));
  expect(readdirSync(directory)).toContain(sha256.slice(2));
  rmSync(join(directory, sha256.slice(2)));
  const answer = await call(app, 'GET', `/documents/${id}/download`, { key: company.key });
  expect({ status: answer.status, code: answer.body.error.code }).toEqual({
    status: 500,
    code: 'document_unavailable',
  });
  expect((await fetch(address)).status).toBe(500);
});
