import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { drip, flood, type RawReceiver, startRawReceiver } from '../support/raw-receiver.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Company,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import {
  type AttemptRow,
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  failedDelivery,
  passTime,
  settledDeliveries,
} from '../support/webhooks.ts';

let app: TestService;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** Returns the only attempt of an acknowledged delivery to `url`. */
async function expectDelivered(url: string): Promise<AttemptRow> {
  const endpoint = await createEndpoint(app, company.id, url);
  await createSent(app, company.key);
  const [delivery] = await settledDeliveries(app, endpoint.id);
  expect(delivery).toMatchObject({ status: 'delivered', failures: 0, next_attempt_at: null });
  return theOnly(await attemptsOf(app, delivery?.id ?? ''));
}

/** Returns the first attempt, which failed and is repeated after a minute. */
async function expectRetried(url: string, service = app): Promise<AttemptRow> {
  const owner = await createCompany(service);
  const endpoint = await createEndpoint(service, owner.id, url);
  await createSent(service, owner.key);
  const delivery = await failedDelivery(service, endpoint.id, 1);
  const inAMinute = new Date(service.clock.now().getTime() + 60_000).toISOString();
  expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: inAMinute });
  return theOnly(await attemptsOf(service, delivery.id));
}

/** Returns the only attempt, which is not repeated. */
async function expectDead(url: string, service = app): Promise<AttemptRow> {
  const owner = await createCompany(service);
  const endpoint = await createEndpoint(service, owner.id, url);
  await createSent(service, owner.key);
  const [delivery] = await settledDeliveries(service, endpoint.id);
  expect(delivery).toMatchObject({ status: 'dead', failures: 1, next_attempt_at: null });
  return theOnly(await attemptsOf(service, delivery?.id ?? ''));
}

function theOnly(attempts: AttemptRow[]): AttemptRow {
  expect(attempts).toHaveLength(1);
  return attempts[0] as AttemptRow;
}

async function rawReceiver(answer: (socket: Socket) => void): Promise<RawReceiver> {
  const raw = await startRawReceiver(answer);
  onTestFinished(() => raw.stop());
  return raw;
}

describe('any 2xx acknowledges', () => {
  test.each([200, 201, 202, 204, 226, 299])('%i', async (status) => {
    receiver.answer = (response) => response.writeHead(status).end();
    expect(await expectDelivered(receiver.url)).toMatchObject({ status_code: status, error: null, response_body: '' });
  });

  test('after a 100 Continue that nobody asked for', async () => {
    const raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await expectDelivered(raw.url)).toMatchObject({ status_code: 200, error: null });
    expect(raw.requests).toBe(1);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['never begins', (response) => response.flushHeaders()],
    ['never ends', (response) => response.write('thanks')],
    ['is cut', (response) => response.write('thanks', () => response.destroy())],
  ])('with a body that %s', async (_, answer) => {
    receiver.answer = (response) => answer(response.writeHead(200, { 'content-length': '1000' }));
    expect(await expectDelivered(receiver.url)).toMatchObject({ status_code: 200, error: null });
    expect(receiver.received).toHaveLength(1);
  });

  test('with a body without end, of which no more than 2 KiB are kept', async () => {
    const raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      flood(socket, Buffer.alloc(16_384, 'x'));
    });
    expect((await expectDelivered(raw.url)).response_body).toBe('x'.repeat(2048));
    await eventually(
      async () => raw.open(),
      (open) => open === 0,
    );
  });
});

describe('a redirect ends the delivery at once', () => {
  test.each([300, 301, 302, 303, 304, 307, 308])('%i is not followed and never tried again', async (status) => {
    const target = await startReceiver();
    onTestFinished(() => target.stop());
    receiver.answer = (response) => response.writeHead(status, { location: target.url }).end();
    expect(await expectDead(receiver.url)).toMatchObject({
      status_code: status,
      error: 'redirects are not followed',
    });

    app.clock.advance({ days: 2 });
    const next = await startReceiver();
    onTestFinished(() => next.stop());
    await expectDelivered(next.url);
    expect(receiver.received).toHaveLength(1);
    expect(target.connections()).toBe(0);
  });
});

describe('any other status is a failure that is tried again', () => {
  test.each([400, 401, 404, 410, 422, 429, 500, 502, 503, 599, 999])('%i', async (status) => {
    receiver.answer = (response) => response.writeHead(status).end('no');
    expect(await expectRetried(receiver.url)).toMatchObject({ status_code: status, error: null, response_body: 'no' });
  });

  test.each<[string, Buffer, string]>([
    ['NUL and bytes that are not UTF-8', Buffer.from('6100fffee28262', 'hex'), 'a\uFFFD\uFFFD\uFFFD\uFFFDb'],
    ['NUL alone', Buffer.alloc(5000), '\uFFFD'.repeat(2048)],
    ['nothing that is UTF-8', Buffer.alloc(5000, 0xff), '\uFFFD'.repeat(2048)],
    ['2048 bytes', Buffer.alloc(2048, 'x'), 'x'.repeat(2048)],
    ['2049 bytes', Buffer.alloc(2049, 'x'), 'x'.repeat(2048)],
    ['a character across the limit', Buffer.from(`${'x'.repeat(2047)}€`), 'x'.repeat(2047)],
  ])('its body is kept as far as it can be shown: %s', async (_, body, kept) => {
    receiver.answer = (response) => response.writeHead(500).end(body);
    expect((await expectRetried(receiver.url)).response_body).toBe(kept);
  });

  test('of a body without end 2 KiB are kept, and the connection is closed', async () => {
    const raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\n\r\n');
      flood(socket, Buffer.alloc(16_384, 'x'));
    });
    expect(await expectRetried(raw.url)).toMatchObject({ status_code: 500, response_body: 'x'.repeat(2048) });
    await eventually(
      async () => raw.open(),
      (open) => open === 0,
    );
  });
});

describe('no answer is a failure that is tried again', () => {
  test('nobody listens', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(await expectRetried(gone.url)).toMatchObject({
      status_code: null,
      error: 'the connection was refused',
      response_body: null,
    });
  });

  test.each<[string, (socket: Socket) => void, Partial<AttemptRow>]>([
    [
      'the connection is closed without an answer',
      (socket) => socket.end(),
      { status_code: null, error: expect.stringMatching(/^the connection ended/) },
    ],
    [
      'the connection is reset without an answer',
      (socket) => socket.resetAndDestroy(),
      { status_code: null, error: expect.stringMatching(/^the connection was reset/) },
    ],
    [
      'the connection is reset in the middle of the headers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-half: ', () => socket.resetAndDestroy()),
      { status_code: null, error: expect.stringMatching(/^the connection was reset/) },
    ],
    [
      'the answer is not HTTP',
      (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
      { status_code: null, error: 'the response is not HTTP' },
    ],
    ...['000', '050', '099'].map((status): [string, (socket: Socket) => void, Partial<AttemptRow>] => [
      `the status is ${status}`,
      (socket) => socket.write(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`),
      { status_code: null, error: 'the response has an invalid status' },
    ]),
    [
      'the headers do not end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        flood(socket, Buffer.from(`x-more: ${'x'.repeat(1000)}\r\n`));
      },
      { status_code: null, error: 'the response headers are too large' },
    ],
  ])('%s', async (_, answer, expected) => {
    const raw = await rawReceiver(answer);
    expect(await expectRetried(raw.url)).toMatchObject(expected);
    await eventually(
      async () => raw.open(),
      (open) => open === 0,
    );
  });

  test('an answer that is cut in the middle keeps its status and what came of it', async () => {
    const raw = await rawReceiver((socket) => {
      socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\ncome back');
    });
    expect(await expectRetried(raw.url)).toMatchObject({
      status_code: 503,
      error: expect.stringMatching(/^the connection ended/),
      response_body: 'come back',
    });
  });
});

describe.concurrent('one time limit over everything', () => {
  let hasty: TestService;

  beforeAll(async () => {
    hasty = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '6000' } });
  });
  afterAll(() => hasty.stop());

  test.for<[string, (socket: Socket) => void, Partial<AttemptRow>]>([
    ['a receiver that is silent', () => {}, { status_code: null }],
    [
      'headers that come drop by drop',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        drip(socket, 'x', 100);
      },
      { status_code: null },
    ],
    [
      'interim answers without a real one',
      (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 1000),
      { status_code: null },
    ],
    [
      'the body of a failure that comes drop by drop',
      (socket) => {
        socket.write('HTTP/1.1 500 Oops\r\n\r\n');
        drip(socket, 'x', 100);
      },
      { status_code: 500, response_body: expect.stringMatching(/^x*$/) },
    ],
  ])('%s is cut off', async ([, answer, expected], { expect, onTestFinished }) => {
    const raw = await startRawReceiver(answer);
    onTestFinished(() => raw.stop());
    expect(await expectRetried(raw.url, hasty)).toMatchObject({
      error: expect.stringMatching(/^it took longer than 6000 ms/),
      ...expected,
    });
    expect(raw.requests).toBe(1);
    await eventually(
      async () => raw.open(),
      (open) => open === 0,
    );
  });

  test('the body of an acknowledgement that comes drop by drop does not undo it', async ({
    expect,
    onTestFinished,
  }) => {
    const raw = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      drip(socket, 'x', 100);
    });
    onTestFinished(() => raw.stop());
    const owner = await createCompany(hasty);
    const endpoint = await createEndpoint(hasty, owner.id, raw.url);
    await createSent(hasty, owner.key);
    const [delivery] = await settledDeliveries(hasty, endpoint.id);
    expect(delivery?.status).toBe('delivered');
    expect(raw.requests).toBe(1);
  });
});

describe('an address that is not public', () => {
  let outside: TestService;
  const names: Record<string, string[]> = {
    'private.example.com': ['127.0.0.1'],
    'mixed.example.com': ['93.184.215.14', '10.0.0.1'],
    'metadata.example.com': ['169.254.169.254'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
  };

  beforeAll(async () => {
    const resolve = async (host: string) => {
      const addresses = names[host];
      return addresses === undefined
        ? ({ kind: 'none', reason: 'does not exist' } as const)
        : ({ kind: 'addresses', addresses } as const);
    };
    outside = await startTestService({ outside: { hostResolver: { resolve } } });
  });
  afterAll(() => outside.stop());

  test.each(Object.keys(names))('by its name ends the delivery at once: %s', async (name) => {
    const attempt = await expectDead(`https://${name}:${receiver.port}/hook`, outside);
    expect(attempt).toMatchObject({
      status_code: null,
      error: `the name ${name} leads to an address that is not public`,
    });
    expect(receiver.connections()).toBe(0);
  });

  test.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'http://hooks.example.com'])(
    'by its text ends the delivery at once: %s',
    async (origin) => {
      expect((await expectDead(`${origin}:${receiver.port}/hook`, outside)).error).toMatch(/^the URL must /);
      expect(receiver.connections()).toBe(0);
    },
  );

  test('while a name that does not exist may come to exist, and is tried again', async () => {
    expect((await expectRetried('https://nowhere.example.com/hook', outside)).error).toBe(
      'the name nowhere.example.com does not exist',
    );
  });

  test('a name that leads elsewhere later is looked at again before each attempt', async () => {
    names['moves.example.com'] = [];
    const owner = await createCompany(outside);
    const endpoint = await createEndpoint(outside, owner.id, 'https://moves.example.com/hook');
    delete names['moves.example.com'];
    await createSent(outside, owner.key);
    await failedDelivery(outside, endpoint.id, 1);
    names['moves.example.com'] = ['192.168.1.1'];
    await passTime(outside, { minutes: 1 });
    await settledDeliveries(outside, endpoint.id);
    expect(await deliveriesOf(outside, endpoint.id)).toMatchObject([{ status: 'dead', failures: 2 }]);
  });
});
