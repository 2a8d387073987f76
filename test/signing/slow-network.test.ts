import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { readQr } from './read-qr.ts';
import { openLinkOf, type Signer, signature } from './signer.ts';

/** Pictures that are sent over a network so slow that they take longer than other requests may. */
let app: TestService;
let company: Company;
let laterMs = 0;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  const now = performance.now.bind(performance);
  // The time limit of every request is 30 s, and what may be slow must bring 64 KiB in each 30 s.
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function signerOf(): Promise<Signer> {
  return openLinkOf(app, company, await createSent(app, company.key, { recipients: [ada] }), ada.name);
}

/** Sends a body of 200 KB in two parts, with 40 s between them. Resolves with the answer. */
async function sendSlowly(address: string, body: object): Promise<string> {
  const { hostname, port, pathname } = new URL(address);
  const json = Buffer.from(JSON.stringify({ ...body, padding: 'x'.repeat(200_000) }));
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const answer = text(socket);
  socket.on('error', () => {});
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n`);
  socket.write(`Content-Length: ${json.length}\r\n\r\n`);
  socket.write(json.subarray(0, 150_000));
  await sleep(500);
  laterMs += 40_000;
  await sleep(2500); // the limits are checked every second
  socket.write(json.subarray(150_000));
  return answer;
}

const drawn = { kind: 'drawn', png: drawnSignature().toString('base64') };

test('a drawn signature that takes longer than other requests may is recorded', async () => {
  const signer = await signerOf();
  const answer = await sendSlowly(`${signer.link}/sign`, { ...signature, signature: drawn });
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"state":"completed"}/);
});

test('a drawing of a phone arrives too', async () => {
  const { body } = await (await signerOf()).post('phone-drawing', { mark: 'signature' });
  const answer = await sendSlowly(`${readQr(body.drawing.qr)}/drawing`, { png: drawn.png });
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request with an unknown link gets no more time', async () => {
  const { link } = await signerOf();
  const answer = await sendSlowly(`${link.slice(0, -4)}AAAA/sign`, signature);
  expect(answer).toContain('request_timeout');
});
