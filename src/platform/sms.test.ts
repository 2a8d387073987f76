import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { OperatorError } from '../errors.ts';
import { dialable, isSameNumber, readInternationalNumber } from './dialable.ts';
import { createSms } from './sms.ts';

const sid = 'AC0123456789abcdef0123456789abcdef';
const message = { id: '019a9f00-0000-7000-8000-000000000001', to: '+1 (555) 765-4321', text: 'Sign: https://x/ñ&=+' };

let close: () => void = () => {};
afterEach(() => close());

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  form: Record<string, string>;
}

/** Starts a server that answers like Twilio and records its requests. */
async function twilio(answer: (response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        form: Object.fromEntries(new URLSearchParams(body)),
      });
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const api = encodeURIComponent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { seen, url: (from = '+15550001111') => `twilio://${sid}:t%2Fok%40en@${from}?api=${api}` };
}

const json = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const fault = (status: number, code: number) =>
  json(status, {
    code,
    message: `The 'To' number +15557654321 is bad`,
    more_info: 'https://www.twilio.com/docs',
    status,
  });

describe('Twilio', () => {
  test('sends number and text with credentials and returns the id', async () => {
    const { seen, url } = await twilio(json(201, { sid: 'SM42', status: 'queued' }));
    expect(await createSms(url()).send(message)).toEqual({ kind: 'accepted', providerId: 'SM42' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: `/2010-04-01/Accounts/${sid}/Messages.json`,
        headers: {
          authorization: `Basic ${Buffer.from(`${sid}:t/ok@en`).toString('base64')}`,
          'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
        },
        form: { From: '+15550001111', To: '+15557654321', Body: message.text },
      },
    ]);
  });

  test.each([
    ['MG0123456789abcdef0123456789abcdef', { MessagingServiceSid: 'MG0123456789abcdef0123456789abcdef' }],
    ['Acme%20Ltd', { From: 'Acme Ltd' }],
  ])('sends from %s', async (from, form) => {
    const { seen, url } = await twilio(json(201, { sid: 'SM42' }));
    await createSms(url(from)).send(message);
    expect(seen[0]?.form).toEqual({ ...form, To: '+15557654321', Body: message.text });
  });

  test.each([
    [21211, /not valid/],
    [21610, /STOP/],
    [21614, /not a mobile/],
    [30999, /error 30999/],
  ])('400 with error %d is a refusal for good', async (code, reason) => {
    const { url } = await twilio(fault(400, code));
    const outcome = await createSms(url()).send(message);
    expect(outcome).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect(JSON.stringify(outcome)).not.toContain('5557654321');
  });

  test.each([
    ['a sender that is not ours', fault(400, 21606)],
    ['an invalid messaging service', fault(400, 21705)],
    ['a sender of another messaging service', fault(400, 21712)],
    ['test credentials', fault(400, 20008)],
    ['a 400 that is not Twilio speaking', json(400, { hello: 'proxy' })],
    ['a wrong token', fault(401, 20003)],
    ['a suspended account', fault(403, 20005)],
    ['an unknown account', fault(404, 20404)],
    ['too many requests', fault(429, 20429)],
    ['an error of theirs', json(500, {})],
    ['a proxy without upstream', (response: ServerResponse) => response.writeHead(503).end('<html>')],
    ['a redirect', (response: ServerResponse) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['a connection that breaks', (response: ServerResponse) => response.destroy()],
    ['silence', () => {}],
    ['an answer that never ends', (response: ServerResponse) => response.writeHead(201).write('{')],
  ])('%s is worth another attempt', async (_name, answer) => {
    const { seen, url } = await twilio(answer);
    const outcome = await createSms(url(), 500).send(message);
    expect(outcome.kind).toBe('unavailable');
    expect(JSON.stringify(outcome)).not.toMatch(/5557654321|ok@en/);
    expect(seen.length).toBe(1);
  });

  test('an endless answer is cut off', async () => {
    const { url } = await twilio((response) => {
      response.writeHead(500);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await createSms(url(), 3000).send(message)).toEqual({ kind: 'unavailable', reason: 'Twilio answered 500' });
  });

  test('nobody listens', async () => {
    const { url } = await twilio(() => {});
    close();
    expect(await createSms(url()).send(message)).toEqual({
      kind: 'unavailable',
      reason: 'no connection to Twilio (ECONNREFUSED)',
    });
  });

  test('refuses an invalid number without a request', async () => {
    const { seen, url } = await twilio(json(201, {}));
    expect((await createSms(url()).send({ ...message, to: 'call me' })).kind).toBe('refused');
    expect(seen).toEqual([]);
  });
});

test.each([
  'pigeon://loft@roof',
  'not a url',
  'twilio://',
  `twilio://${sid}@+15550001111`,
  `twilio://:token@+15550001111`,
  `twilio://${sid}:token@+15550001111?api=ftp://x`,
])('%s is refused with SMS_URL named', (url) => {
  expect(() => createSms(url)).toThrow(OperatorError);
  expect(() => createSms(url)).toThrow(/SMS_URL/);
});

test.each([
  ['+1 (555) 765-4321', '+15557654321'],
  ['0049 30 123456', '+4930123456'],
  ['+34 600 00 00 00', '+34600000000'],
  ['＋３４ ６００', '+34600'],
  ['555.765.4321', '5557654321'],
  ['none', ''],
])('%s is dialled as %s', (typed, number) => {
  expect(dialable(typed)).toBe(number);
});

test.each([
  ['+34 600 00 00 01', '+34600000001'],
  ['0034-600-000-001', '+34600000001'],
  ['\u202a+1\u00a0(202)\u00a0555–0199\u202c', '+12025550199'],
  ['+1 202 555/0199', '+12025550199'],
  ['＋３４ ６００ ０００ ００１', '+34600000001'],
  ['600000001', null],
  ['+34600000001x', null],
  ['+34 600', null],
  [`+${'1'.repeat(16)}`, null],
  ['ask him', null],
  ['', null],
])('%s is read as the international number %s', (typed, number) => {
  expect(readInternationalNumber(typed)).toBe(number);
});

test('numbers are the same when they are dialled the same way', () => {
  expect(isSameNumber('+1 202 555 0199', '0012025550199')).toBe(true);
  expect(isSameNumber('+1 202 555 0199', '+1 202 555 0198')).toBe(false);
  // Neither is dialled.
  expect(isSameNumber('ask him', 'ask her')).toBe(false);
});
