import { mkdtempSync, openAsBlob, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pdfProcessesOf } from '../../src/sealing/testing/tools.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { postPdf, type Sealed, sealedDocument } from './sealed.ts';
import { handmade, inflatesTo, plainPdf } from './tampering.ts';

let app: TestService;
let sealed: Sealed;
const uploads = mkdtempSync(join(tmpdir(), 'countersign-uploads-'));
const temporary = process.env.TMPDIR;

beforeAll(async () => {
  app = await startTestService({ env: { IP_REQUESTS_PER_MINUTE: '60', TRUST_PROXY: '127.0.0.1' } });
  sealed = await sealedDocument(app, await createCompany(app));
  process.env.TMPDIR = uploads;
});

afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await app.stop();
  rmSync(uploads, { recursive: true });
});

const origin = () => new URL(app.baseUrl).origin;
const from = (address: string) => ({ 'x-forwarded-for': address });
const maxBytes = 160 * 2 ** 20;
const patientMs = 240_000;

/** Sends the headers and the beginning of a request, and leaves it open. */
async function openUpload(address: string): Promise<Socket> {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const before = readdirSync(uploads).length;
  socket.write(
    `POST /verify HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${address}\r\nAccept: application/json\r\n` +
      'Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: 1000000\r\n\r\n' +
      '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\nhalf of it',
  );
  await eventually(
    async () => readdirSync(uploads).length,
    (count) => count > before,
  );
  return socket;
}

/**
 * Returns a file that begins with `start` and is filled with zeros, read from disk while it is sent. Allocating it would
 * block the event loop, which is also the server's, for longer than the server waits for a request's headers.
 */
async function largeFile(start: Uint8Array, bytes: number): Promise<Blob> {
  const directory = mkdtempSync(join(temporary ?? '/tmp', 'countersign-large-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'file.pdf');
  writeFileSync(path, start);
  truncateSync(path, bytes);
  return openAsBlob(path, { type: 'application/pdf' });
}

const nothingLeft = () =>
  eventually(
    async () => readdirSync(uploads),
    (left) => left.length === 0,
  );

test('two uploads at once both get their report, and nothing of them is left on the disk', async () => {
  const two = await Promise.all([postPdf(app, sealed.pdf), postPdf(app, await plainPdf())]);
  expect(two.map(({ body }) => body.verdict)).toEqual(['valid', 'not_sealed']);
  await nothingLeft();
});

test('a connection that drops in the middle leaves nothing behind and keeps no place', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    (await openUpload('203.0.113.1')).destroy();
    await nothingLeft();
  }
  expect((await postPdf(app, sealed.pdf, from('203.0.113.1'))).body.verdict).toBe('valid');
});

test('a bounded number at once: the fourth of an address, and the ninth of all, is told to come back', async () => {
  const open = [];
  for (let upload = 0; upload < 3; upload++) open.push(await openUpload('203.0.113.2'));
  const refused = await postPdf(app, sealed.pdf, from('203.0.113.2'));
  expect({ status: refused.status, code: refused.body.error.code }).toEqual({ status: 503, code: 'busy' });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await postPdf(app, sealed.pdf, from('203.0.113.3'))).status).toBe(200);

  for (const address of ['3', '3', '3', '4', '4']) open.push(await openUpload(`203.0.113.${address}`));
  expect((await postPdf(app, sealed.pdf, from('203.0.113.5'))).status).toBe(503);
  for (const socket of open) socket.destroy();
  await nothingLeft();
  expect((await postPdf(app, sealed.pdf, from('203.0.113.2'))).status).toBe(200);
});

test('160 MB are examined, a byte more is not', { timeout: patientMs }, async () => {
  const { body, against } = await postPdf(app, await largeFile(sealed.pdf, maxBytes));
  expect({ verdict: body.verdict, against }).toEqual({ verdict: 'altered', against: ['bytes_appended'] });

  const { status, against: tooLarge } = await postPdf(app, await largeFile(Buffer.of(), maxBytes + 1));
  expect({ status, tooLarge }).toEqual({ status: 413, tooLarge: ['file_too_large'] });

  await nothingLeft();
});

test('what is far too large is refused, whether it says so first or not', { timeout: patientMs }, async () => {
  const declared = await fetch(`${origin()}/verify`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=xx', accept: 'application/json' },
    body: await largeFile(Buffer.of(), maxBytes + 2 ** 20),
  });
  expect(declared.status).toBe(413);

  async function* endless() {
    yield Buffer.from('--xx\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n');
    for (let chunk = 0; chunk < 162; chunk++) yield Buffer.alloc(2 ** 20);
  }
  const chunked = await fetch(`${origin()}/verify`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=xx', accept: 'application/json' },
    body: ReadableStream.from(endless()),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  await nothingLeft();
});

test('a request without a file, or with half a form, is told to choose one', async () => {
  const post = (body: string, contentType: string) =>
    fetch(`${origin()}/verify`, {
      method: 'POST',
      headers: { 'content-type': contentType, accept: 'application/json' },
      body,
    });
  const empty =
    '--xx\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--xx--\r\n';
  const requests = [
    ['', 'text/plain'],
    ['{}', 'application/json'],
    ['', 'multipart/form-data'],
    ['', 'multipart/form-data; boundary='],
    ['', 'multipart/form-data; boundary=xx'],
    [
      '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF',
      'multipart/form-data; boundary=xx',
    ],
    [
      '--xx\r\nContent-Disposition: form-data; name="other"\r\n\r\nvalue\r\n--xx--\r\n',
      'multipart/form-data; boundary=xx',
    ],
    [empty, 'multipart/form-data; boundary=xx'],
    ['nonsense', 'multipart/form-data; boundary=xx'],
  ] as const;
  for (const [body, contentType] of requests) {
    const response = await post(body, contentType);
    expect({ status: response.status, body: await response.json() }, `${contentType} ${body}`).toEqual({
      status: 400,
      body: { error: { code: 'no_file', message: 'Choose a PDF file first.' } },
    });
  }
  await nothingLeft();
});

test('of several files the first is examined', async () => {
  const form = new FormData();
  form.set('note', 'hello');
  form.append('file', new Blob([new Uint8Array(sealed.pdf)]), 'a.pdf');
  form.append('file', new Blob(['second']), 'b.pdf');
  const response = await fetch(`${origin()}/verify`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json' },
  });
  expect(await response.json()).toMatchObject({ verdict: 'valid' });
});

test('a file that is killed for what it takes spoils nothing for the next', async () => {
  const bomb = handmade({ 1: '<< /Type /Catalog >>' });
  const start = bomb.indexOf('xref');
  const hostile = Buffer.concat([
    Buffer.from(
      '%PDF-1.7\n9 0 obj\n<< /Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R /Filter /FlateDecode /Length 99999999 >>\nstream\n',
    ),
    inflatesTo(4096),
    Buffer.from(`\nendstream\nendobj\nstartxref\n9\n%%EOF${start}\n`),
  ]);
  const [bad, good] = await Promise.all([postPdf(app, hostile), postPdf(app, sealed.pdf)]);
  expect(bad.body.verdict).toBe('unreadable');
  expect(good.body.verdict).toBe('valid');
  expect(pdfProcessesOf(process.pid).length).toBeLessThanOrEqual(1);
});

test('the address guard counts here too, and says so on a page', async () => {
  const answers = [];
  for (let request = 0; request < 61; request++) {
    answers.push(await fetch(`${origin()}/verify`, { headers: from('203.0.113.77') }));
  }
  expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(answers[60]?.status).toBe(429);
  expect(answers[60]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await answers[60]?.text()).toContain('Too many requests');
});
