import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { allowUpload, boundArrival } from './request-time.ts';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

const limits = { requestMs: 100, uploadMs: 60_000, spanMs: 100, spanBytesMin: 1 };

/** Starts a server that allows uploads only at `/file` and answers `late` to late sockets. */
async function listen(options: Partial<typeof limits> = {}): Promise<number> {
  server = createServer((request, response) => {
    if (request.url === '/file') allowUpload(request);
    request.resume().on('end', () => response.end('all of it'));
  });
  boundArrival(server, { ...limits, ...options }, (socket) => socket.end('late'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * Sends `parts` parts of a body, one every `everyMs`. Resolves with the answer when the server has closed the
 * connection.
 */
function drip(port: number, path: string, parts: number, everyMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${parts}\r\n\r\n`);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < parts) socket.write('x');
    sent += 1;
  }, everyMs);
  return new Promise((resolve) => {
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

/** Lets time pass only when a test says so. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Sends a request to `path`, whose body is the parts that `send` sends. Its answer is complete when the server has ended it. */
async function open(port: number, path: string, parts: number) {
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  const arrived = once(server, 'request');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${parts}\r\n\r\n`);
  const [request] = await arrived;
  const send = async () => {
    const read = once(request, 'data');
    socket.write('x');
    await read;
  };
  return { request, answer, send };
}

test('a slow body is cut off', async () => {
  expect(await drip(await listen(), '/', 60, 10)).toBe('late');
});

test('a slow file is not', async () => {
  holdTime();
  const { answer, send } = await open(await listen(), '/file', 60);
  for (let part = 0; part < 60; part++) {
    await send();
    vi.advanceTimersByTime(limits.spanMs / 2);
  }
  expect(await answer).toMatch(/all of it$/);
});

test('a stalled file is cut off', async () => {
  const port = await listen();
  expect(await drip(port, '/file', 2, 60_000)).toBe('late');
});

test('an upload is cut off at the time limit for files', async () => {
  const port = await listen({ uploadMs: 300 });
  expect(await drip(port, '/file', 1_000_000, 10)).toBe('late');
});

test('a request that has arrived is not late while its answer takes long', async () => {
  holdTime();
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      vi.advanceTimersByTime(4 * limits.requestMs);
      response.end('all of it');
    });
  });
  boundArrival(server, limits, (socket) => socket.end('late'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { answer, send } = await open((server.address() as AddressInfo).port, '/', 1);
  await send();
  expect(await answer).toMatch(/all of it$/);
});
