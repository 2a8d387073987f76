import { createHash, randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { createHostResolver, createPublicFetch, PublicFetchError, readAtMost } from './public-fetch.ts';
import { closedPort, frozenPort, respond, startReceiver } from './testing/receiver.ts';

const longMs = 30_000;
const shortMs = 300;
/** For calls that must get somewhere before their time is up. */
const mediumMs = 3000;

function publicFetch(options: { servers?: string[]; idleConnectionsMax?: number } = {}) {
  const { servers, ...rest } = options;
  const client = createPublicFetch({
    resolver: createHostResolver(servers === undefined ? {} : { servers }),
    allowPrivate: true,
    ...rest,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A name server that gives every name these addresses, which a test may change. */
async function dnsWith(...addresses: string[]) {
  const dns = await startDnsServer(() => ({ addresses, ttl: 0 }));
  onTestFinished(() => dns.close());
  return { servers: [dns.address], addresses };
}

const post = (url: string) => ({ method: 'POST', url, body: '{}' }) as const;

async function failure(call: Promise<unknown>): Promise<PublicFetchError> {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(PublicFetchError);
  return error as PublicFetchError;
}

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket === undefined) throw new Error('there was no connection');
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

describe('a request', () => {
  test('is sent as it was given, to the name it was given for', async () => {
    const { servers } = await dnsWith('127.0.0.1');
    const receiver = await startReceiver((socket) => respond(socket));
    const url = `http://Hooks.Example.com:${receiver.port}/in/%41?q=ä#part`;
    await publicFetch({ servers }).fetch(
      {
        method: 'POST',
        url,
        headers: { 'User-Agent': 'Service-Webhooks/1.0', 'content-type': 'application/json' },
        body: '{"é":1}',
      },
      { timeoutMs: longMs },
    );
    expect(receiver.requests).toEqual([
      [
        'POST /in/%41?q=%C3%A4 HTTP/1.1',
        `host: hooks.example.com:${receiver.port}`,
        'connection: keep-alive',
        'User-Agent: Service-Webhooks/1.0',
        'content-type: application/json',
        'content-length: 8',
        '',
        Buffer.from('{"é":1}').toString('latin1'),
      ].join('\r\n'),
    ]);
  });

  test('that is not made as HTTP wants it is the caller’s mistake, and nothing is sent', async () => {
    const receiver = await startReceiver((socket) => respond(socket));
    const client = publicFetch();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const call = client.fetch({ ...post(url), headers: { 'x-a': 'b\r\nx-c: d' } }, { timeoutMs: longMs });
    await expect(call).rejects.toThrow('["x-a"]');
    await closed(receiver.connections[0]);
    await client.fetch(post(url), { timeoutMs: longMs });
    expect(receiver.requests).toHaveLength(1);
  });

  test('goes by no proxy, whatever the environment says', async () => {
    const proxy = await startReceiver((socket) => respond(socket));
    const receiver = await startReceiver((socket) => respond(socket));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      process.env[name] = `http://127.0.0.1:${proxy.port}`;
      onTestFinished(() => {
        delete process.env[name];
      });
    }
    await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    expect(receiver.requests).toHaveLength(1);
    expect(proxy.connections).toHaveLength(0);
  });
});

describe('a response', () => {
  test('is there as soon as its headers are, and its body when that comes', async () => {
    const receiver = await startReceiver((socket) =>
      socket.write('HTTP/1.1 202 Accepted\r\nX-One: 1\r\ncontent-length: 4\r\n\r\n'),
    );
    const response = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    expect(response).toMatchObject({ status: 202, headers: { 'x-one': '1' } });
    receiver.connections[0]?.write('body');
    expect(await readAtMost(response.body, 100)).toEqual({
      bytes: Buffer.from('body'),
      isComplete: true,
      failure: null,
    });
  });

  test('that redirects is given as it is', async () => {
    const elsewhere = await startReceiver((socket) => respond(socket));
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const receiver = await startReceiver((socket) =>
      socket.write(`HTTP/1.1 307 Temporary\r\nlocation: ${location}\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n`),
    );
    const client = publicFetch();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { status, headers, body } = await client.fetch(post(url), { timeoutMs: longMs });
    expect([status, headers.location]).toEqual([307, location]);
    expect(await readAtMost(body, 10)).toMatchObject({ isComplete: true });
    await client.fetch(post(url), { timeoutMs: longMs });
    expect(receiver.requests[1]).not.toMatch(/cookie/i);
    expect(elsewhere.connections).toHaveLength(0);
  });

  test('is not decompressed', async () => {
    const receiver = await startReceiver((socket) => respond(socket, 'packed', 'content-encoding: gzip\r\n'));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    expect((await readAtMost(body, 100)).bytes.toString()).toBe('packed');
  });

  test('may follow interim ones', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3));
      respond(socket);
    });
    const { status, headers } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), {
      timeoutMs: longMs,
    });
    expect([status, headers.link]).toEqual([200, undefined]);
  });

  // RFC 9110, 15.2: a client parses every interim answer, also one that it did not ask for.
  test.each([100, 102, 103, 104, 199])('may follow %i, which nobody asked for', async (interim) => {
    const receiver = await startReceiver((socket) => {
      socket.write(`HTTP/1.1 ${interim} Interim\r\nx-interim: 1\r\n\r\n`.repeat(3));
      respond(socket);
    });
    const client = publicFetch();
    for (let call = 0; call < 2; call += 1) {
      const { status, headers, body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), {
        timeoutMs: longMs,
      });
      expect([status, headers['x-interim']]).toEqual([200, undefined]);
      expect((await readAtMost(body, 100)).bytes.toString()).toBe('ok');
    }
    expect(receiver.connections).toHaveLength(1);
  });

  test('that nobody asked for closes the idle connection, and answers no later request', async () => {
    const receiver = await startReceiver((socket) => {
      respond(socket);
      setImmediate(() => respond(socket, 'forged'));
    });
    const client = publicFetch();
    const call = async () => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      return (await readAtMost(body, 100)).bytes.toString();
    };
    expect(await call()).toBe('ok');
    await closed(receiver.connections[0]);
    expect(await call()).toBe('ok');
  });

  test('that ends with the connection is complete', async () => {
    const receiver = await startReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    expect(await readAtMost(body, 100)).toMatchObject({ bytes: Buffer.from('all of it'), isComplete: true });
  });

  test('of many megabytes is streamed, and held back while nobody reads it', async () => {
    const file = randomBytes(32_000_000);
    const receiver = await startReceiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${file.length}\r\n\r\n`);
      socket.write(file);
    });
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    let heldBytes = 0;
    const isStill = () => {
      const before = heldBytes;
      heldBytes = body.readableLength;
      return heldBytes > 0 && heldBytes === before;
    };
    await vi.waitUntil(isStill, { interval: 100, timeout: longMs });
    expect(heldBytes).toBeLessThan(200_000);
    const read = createHash('sha256');
    await pipeline(body, read);
    expect(read.digest('hex')).toBe(createHash('sha256').update(file).digest('hex'));
  });

  test('that nobody reads is cut when the time is up, and disturbs nobody', async () => {
    const receiver = await startReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: mediumMs });
    await closed(receiver.connections[0]);
    expect(body.errored).toMatchObject({ kind: 'timeout' });
    expect((await readAtMost(body, 10)).failure).toMatchObject({ kind: 'timeout' });
  });
});

describe('the beginning of a body', () => {
  const sized = async (bytes: number) => {
    const receiver = await startReceiver((socket) => respond(socket, 'x'.repeat(bytes)));
    const client = publicFetch();
    const read = async () => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      return readAtMost(body, 2048);
    };
    return { receiver, read };
  };

  test.each([0, 1, 2047, 2048])('of %i bytes is all of it, and the connection is used again', async (bytes) => {
    const { receiver, read } = await sized(bytes);
    for (let i = 0; i < 3; i++) {
      expect(await read()).toEqual({ bytes: Buffer.alloc(bytes, 'x'), isComplete: true, failure: null });
    }
    expect(receiver.connections).toHaveLength(1);
  });

  test('of one byte more is what was asked for', async () => {
    const { read } = await sized(2049);
    expect(await read()).toEqual({ bytes: Buffer.alloc(2048, 'x'), isComplete: false, failure: null });
  });

  test('of many bytes is what was asked for, and the connection is closed', async () => {
    const { receiver, read } = await sized(10_000_000);
    expect(await read()).toEqual({ bytes: Buffer.alloc(2048, 'x'), isComplete: false, failure: null });
    await closed(receiver.connections[0]);
    expect(await read()).toMatchObject({ isComplete: false });
    expect(receiver.connections).toHaveLength(2);
  });

  test('that stalls is waited for no longer than asked', async () => {
    const receiver = await startReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    const { bytes, isComplete, failure } = await readAtMost(body, 2048, 50);
    expect([bytes.toString(), isComplete, failure?.kind]).toEqual(['half', false, 'timeout']);
    await closed(receiver.connections[0]);
  });

  test('that never ends is cut', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.write('x'.repeat(10_000)));
        socket.once('drain', more);
      };
      more();
    });
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    expect(await readAtMost(body, 2048)).toMatchObject({ isComplete: false, failure: null });
    await closed(receiver.connections[0]);
  });
});

describe('a connection', () => {
  const moving = async () => {
    const dns = await dnsWith('127.0.0.1');
    const receiver = await startReceiver((socket) => respond(socket), { host: '0.0.0.0' });
    const client = publicFetch({ servers: dns.servers });
    const call = async () => {
      const { body } = await client.fetch(post(`http://hooks.example.com:${receiver.port}/`), { timeoutMs: longMs });
      await readAtMost(body, 100);
      return receiver.connections.map((socket) => socket.localAddress);
    };
    return { addresses: dns.addresses, call };
  };

  test('is kept only for as long as the name leads to its address', async () => {
    const { addresses, call } = await moving();
    expect(await call()).toEqual(['127.0.0.1']);
    expect(await call()).toEqual(['127.0.0.1']);
    addresses[0] = '127.0.0.2';
    expect(await call()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(await call()).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  test('is kept while its address is one of several, wherever it stands', async () => {
    const { addresses, call } = await moving();
    await call();
    addresses.unshift('127.0.0.2');
    expect(await call()).toEqual(['127.0.0.1']);
  });

  test('of another name at the same address is not used', async () => {
    const { servers } = await dnsWith('127.0.0.1');
    const receiver = await startReceiver((socket) => respond(socket));
    const client = publicFetch({ servers });
    for (const name of ['a.example.com', 'b.example.com']) {
      const { body } = await client.fetch(post(`http://${name}:${receiver.port}/`), { timeoutMs: longMs });
      await readAtMost(body, 100);
    }
    expect(receiver.connections).toHaveLength(2);
  });

  test('goes to the next address when the first takes none', async () => {
    const { servers } = await dnsWith('127.0.0.3', '127.0.0.2', '127.0.0.1');
    const receiver = await startReceiver((socket) => respond(socket));
    const { status } = await publicFetch({ servers }).fetch(post(`http://hooks.example.com:${receiver.port}/`), {
      timeoutMs: longMs,
    });
    expect(status).toBe(200);
  });

  test('goes to IPv6 when no IPv4 address takes one, however many there are', async () => {
    const dead = Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 2}`);
    const { servers } = await dnsWith(...dead, '::1');
    const receiver = await startReceiver((socket) => respond(socket), { host: '::1' });
    const { status } = await publicFetch({ servers }).fetch(post(`http://hooks.example.com:${receiver.port}/`), {
      timeoutMs: longMs,
    });
    expect(status).toBe(200);
  });

  test('that the receiver closed while it was idle fails no request', async () => {
    const receiver = await startReceiver((socket) => respond(socket));
    const client = publicFetch();
    const call = async () => {
      const { status, body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      return [status, (await readAtMost(body, 100)).isComplete];
    };
    expect(await call()).toEqual([200, true]);
    const [first] = receiver.connections;
    first?.end();
    await closed(first);
    expect(await call()).toEqual([200, true]);
    expect(receiver.connections).toHaveLength(2);
  });

  test('that the receiver closes at the very moment of the next request fails it neither', async () => {
    const receiver = await startReceiver((socket) => respond(socket));
    const client = publicFetch();
    const call = async () => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      return (await readAtMost(body, 100)).isComplete;
    };
    expect(await call()).toBe(true);
    // From here on the event loop looks at its sockets once more before the request is written, and not before.
    await new Promise((resolve) => setImmediate(resolve));
    receiver.connections[0]?.destroy();
    expect(await call()).toBe(true);
    expect(receiver.connections).toHaveLength(2);
  });

  test('that takes a request and ends without a word is given up for another, but only if it was kept', async () => {
    let answersLeft = 1;
    const receiver = await startReceiver((socket) => {
      answersLeft -= 1;
      if (answersLeft >= 0) respond(socket);
      else socket.destroy();
    });
    const client = publicFetch();
    const call = async () => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      return (await readAtMost(body, 100)).isComplete;
    };
    expect(await call()).toBe(true);
    // The kept connection, then a new one: that fails for good.
    expect((await failure(call())).kind).toBe('connection');
    expect([receiver.connections.length, receiver.requests.length]).toEqual([2, 3]);

    answersLeft = 1;
    expect(await call()).toBe(true);
    receiver.requests.length = 0;
    const takesOne = receiver.connections.at(-1);
    answersLeft = 0;
    takesOne?.once('close', () => {
      answersLeft = 1;
    });
    expect(await call()).toBe(true);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is not tried after another: a receiver that breaks several kept ones gets a request twice at most', async () => {
    let held: Array<() => void> | null = [];
    const receiver = await startReceiver((socket) => (held ? held.push(() => respond(socket)) : socket.destroy()));
    const client = publicFetch();
    const call = async (keptFor?: string) => {
      const url = `http://127.0.0.1:${receiver.port}/`;
      const { body } = await client.fetch({ ...post(url), ...(keptFor && { keptFor }) }, { timeoutMs: longMs });
      return (await readAtMost(body, 100)).isComplete;
    };
    const three = [call(), call(), call()];
    await vi.waitFor(() => expect(held).toHaveLength(3), { timeout: longMs });
    for (const answer of held) answer();
    expect(await Promise.all(three)).toEqual([true, true, true]);

    held = null;
    expect((await failure(call())).kind).toBe('connection');
    expect([receiver.connections.length, receiver.requests.length]).toEqual([4, 5]);
    // Two are kept still, but not for this one.
    expect((await failure(call('another'))).kind).toBe('connection');
    expect([receiver.connections.length, receiver.requests.length]).toEqual([5, 6]);
  });

  test('that breaks off in the middle of an answer is not given up for another', async () => {
    let answersLeft = 1;
    const receiver = await startReceiver((socket) => {
      answersLeft -= 1;
      if (answersLeft >= 0) respond(socket);
      else socket.end('HTTP/1.1 200 OK\r\ncontent-le');
    });
    const client = publicFetch();
    const call = () => client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    await readAtMost((await call()).body, 100);
    expect((await failure(call())).kind).toMatch(/connection|protocol/);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is not used again when the receiver says so', async () => {
    const receiver = await startReceiver((socket) => respond(socket, 'ok', 'connection: close\r\n'));
    const client = publicFetch();
    for (let i = 0; i < 2; i++) {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
      expect(await readAtMost(body, 100)).toMatchObject({ isComplete: true });
    }
    expect(receiver.connections).toHaveLength(2);
  });

  test('is closed before the receiver would close it', async () => {
    const receiver = await startReceiver((socket) => respond(socket, 'ok', 'keep-alive: timeout=3\r\n'));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    await readAtMost(body, 100);
    await closed(receiver.connections[0]);
  });

  test('that has been idle the longest makes room when there are too many', async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => startReceiver((socket) => respond(socket))));
    const client = publicFetch({ idleConnectionsMax: 2 });
    const call = async (index: number) => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receivers[index]?.port}/`), { timeoutMs: longMs });
      await readAtMost(body, 100);
    };
    for (const index of [0, 1, 0, 2]) await call(index);
    await closed(receivers[1]?.connections[0]);
    for (const index of [0, 2]) await call(index);
    expect(receivers.map((receiver) => receiver.connections.length)).toEqual([1, 1, 1]);
  });

  test('that the receiver has closed takes no place of those that are open', async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => startReceiver((socket) => respond(socket))));
    const client = publicFetch({ idleConnectionsMax: 2 });
    const call = async (index: number) => {
      const { body } = await client.fetch(post(`http://127.0.0.1:${receivers[index]?.port}/`), { timeoutMs: longMs });
      await readAtMost(body, 100);
    };
    await call(0);
    await call(1);
    const second = receivers[1]?.connections[0];
    second?.end();
    await closed(second);
    await call(2);
    await call(0);
    expect(receivers.map((receiver) => receiver.connections.length)).toEqual([1, 1, 1]);
  });

  test('is closed when its response is dropped', async () => {
    const receiver = await startReceiver((socket) => respond(socket, 'x'.repeat(1_000_000)));
    const { body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs: longMs });
    body.destroy();
    await closed(receiver.connections[0]);
  });
});

describe('fails as', () => {
  const refusedBy = async (answer: (socket: Socket) => void, timeoutMs = longMs) => {
    const receiver = await startReceiver(answer);
    const call = publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/secret?token=secret`), { timeoutMs });
    const { kind, message } = await failure(call);
    await closed(receiver.connections[0]);
    return [kind, message];
  };

  test('connection, when nobody listens', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/`;
    const { kind, message, detail } = await failure(publicFetch().fetch(post(url), { timeoutMs: longMs }));
    expect([kind, message, detail]).toEqual(['connection', 'the connection was refused', '127.0.0.1']);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['ends without an answer', 'the connection ended before the response was complete', (socket) => socket.end()],
    ['is reset', 'the connection was reset', (socket) => socket.resetAndDestroy()],
    [
      'ends in the headers',
      'the connection ended before the response was complete',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nx-a'),
    ],
  ])('connection, when it %s', async (_, message, answer) => {
    expect(await refusedBy(answer)).toEqual(['connection', message]);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['not HTTP', 'the response is not HTTP', (socket) => socket.write('220 mail.example.com ESMTP\r\n')],
    ['binary', 'the response is not HTTP', (socket) => socket.write(Buffer.of(0x15, 3, 1, 0, 2, 2, 0x28))],
    [
      'of two lengths',
      'the response is not as long as it says',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'),
    ],
    [
      'an upgrade',
      'the response is not what HTTP allows here',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
    [
      'an upgrade without a word to what',
      'the response is not what HTTP allows here',
      (socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        respond(socket);
      },
    ],
    [
      'all headers',
      'the response headers are too large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        for (let i = 0; i < 2000; i++) socket.write(`x-header-${i}: ${'x'.repeat(50)}\r\n`);
      },
    ],
    [
      'one header without end',
      'the response headers are too large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-a: ');
        for (let i = 0; i < 100; i++) socket.write('x'.repeat(1000));
      },
    ],
    [
      'an interim one without end',
      'too many interim answers',
      (socket) => {
        for (let i = 0; i < 1000; i++) socket.write('HTTP/1.1 102 Processing\r\n\r\n');
      },
    ],
  ])('protocol, when the answer is %s', async (_, message, answer) => {
    expect(await refusedBy(answer)).toEqual(['protocol', message]);
  });

  const drip = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.once('close', () => clearInterval(timer));
  };

  test.each<[string, (socket: Socket) => void]>([
    ['comes', () => {}],
    [
      'comes but drop by drop',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'a: b\r\n');
      },
    ],
  ])('timeout, when no answer %s', async (_, answer) => {
    const message = `it took longer than ${mediumMs} ms for the response headers`;
    expect(await refusedBy(answer, mediumMs)).toEqual(['timeout', message]);
  });

  test('timeout, when connections are not taken', async () => {
    const port = await frozenPort();
    const { kind, message } = await failure(
      publicFetch().fetch(post(`http://127.0.0.1:${port}/`), { timeoutMs: shortMs }),
    );
    expect([kind, message]).toEqual(['timeout', `it took longer than ${shortMs} ms to connect`]);
  });

  test('timeout, when the name takes too long', async () => {
    const dns = await startDnsServer(() => 'silence');
    onTestFinished(() => dns.close());
    const call = publicFetch({ servers: [dns.address] }).fetch(post('http://hooks.example.com/'), {
      timeoutMs: shortMs,
    });
    const { kind, message } = await failure(call);
    expect([kind, message]).toEqual(['timeout', `it took longer than ${shortMs} ms to look up the name`]);
  });

  const bodyFailure = async (answer: (socket: Socket) => void, timeoutMs = longMs) => {
    const receiver = await startReceiver(answer);
    const { status, body } = await publicFetch().fetch(post(`http://127.0.0.1:${receiver.port}/`), { timeoutMs });
    const { bytes, isComplete, failure } = await readAtMost(body, 2048);
    await closed(receiver.connections[0]);
    return [status, bytes.toString(), isComplete, failure?.kind, failure?.message];
  };

  test('timeout in the body, when it drips', async () => {
    const [status, bytes, isComplete, kind, message] = await bodyFailure((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      drip(socket, 'x');
    }, mediumMs);
    expect([status, isComplete, kind]).toEqual([200, false, 'timeout']);
    expect(message).toBe(`it took longer than ${mediumMs} ms for the end of the response`);
    expect(bytes).toMatch(/^x+$/);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['is reset', 'the connection was reset', (socket) => setTimeout(() => socket.resetAndDestroy(), 50)],
    ['ends', 'the connection ended before the response was complete', (socket) => socket.end()],
  ])('connection in the body, when it %s', async (_, message, finish) => {
    const answer = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf');
      finish(socket);
    };
    expect(await bodyFailure(answer)).toEqual([200, 'half', false, 'connection', message]);
  });

  test('dns and our_fault, as the resolver finds', async () => {
    let root: 'NXDOMAIN' | 'SERVFAIL' = 'NXDOMAIN';
    const dns = await startDnsServer((type) => (type === 'NS' ? root : 'SERVFAIL'));
    onTestFinished(() => dns.close());
    const call = () =>
      publicFetch({ servers: [dns.address] }).fetch(post('http://hooks.example.com/'), { timeoutMs: longMs });
    expect(await failure(call())).toMatchObject({
      kind: 'dns',
      message: 'the name hooks.example.com has name servers that fail (ESERVFAIL)',
    });
    root = 'SERVFAIL';
    expect(await failure(call())).toMatchObject({ kind: 'our_fault', message: 'DNS does not answer (ESERVFAIL)' });
  });
});

describe('giving up', () => {
  test('by the caller’s signal ends the call and its connection, before the headers and after', async () => {
    const receiver = await startReceiver((socket, request) => {
      if (request.startsWith('POST /body')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n');
    });
    const client = publicFetch();
    const origin = `http://127.0.0.1:${receiver.port}`;
    const stop = new AbortController();
    const limits = { timeoutMs: longMs, signal: stop.signal };
    const { body } = await client.fetch(post(`${origin}/body`), limits);
    const waiting = Array.from({ length: 20 }, () => failure(client.fetch(post(`${origin}/`), limits)));
    await vi.waitUntil(() => receiver.requests.length === 21, { timeout: longMs });
    stop.abort();
    for (const { kind } of await Promise.all(waiting)) expect(kind).toBe('aborted');
    expect((await readAtMost(body, 100)).failure?.kind).toBe('aborted');
    for (const socket of receiver.connections) await closed(socket);
    expect((await failure(client.fetch(post(`${origin}/`), limits))).kind).toBe('aborted');
    expect(receiver.requests).toHaveLength(21);
  });

  test('is over when the call is: nothing stays on the signal, however it ended', async () => {
    const answers: Record<string, string> = {
      whole: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      half: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no',
      none: '',
    };
    const receiver = await startReceiver((socket, request) => {
      const path = /^POST \/(\w+)/.exec(request)?.[1] ?? '';
      if (path === 'whole') socket.write(answers.whole ?? '');
      else socket.end(answers[path] ?? '');
    });
    const client = publicFetch();
    const { signal } = new AbortController();
    for (const path of ['whole', 'half', 'none']) {
      const call = client.fetch(post(`http://127.0.0.1:${receiver.port}/${path}`), { timeoutMs: longMs, signal });
      await call.then(({ body }) => readAtMost(body, 10)).catch(() => {});
      expect([path, getEventListeners(signal, 'abort')]).toEqual([path, []]);
    }
  });

  test('by closing ends calls and idle connections', async () => {
    const receiver = await startReceiver((socket, request) => {
      if (request.startsWith('POST /quick')) respond(socket);
    });
    const client = publicFetch();
    const origin = `http://127.0.0.1:${receiver.port}`;
    const waiting = failure(client.fetch(post(`${origin}/slow`), { timeoutMs: longMs }));
    const { body } = await client.fetch(post(`${origin}/quick`), { timeoutMs: longMs });
    await readAtMost(body, 10);
    await vi.waitUntil(() => receiver.requests.length === 2, { timeout: longMs });
    client.close();
    expect((await waiting).kind).toBe('aborted');
    for (const socket of receiver.connections) await closed(socket);
  });
});
