import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A test server that may violate HTTP. */
export interface Receiver {
  port: number;
  /** All connections, in order. */
  connections: Socket[];
  /** All requests with head and body. */
  requests: string[];
}

/**
 * Starts a receiver. `answer` is called for each complete request and may write anything to the socket. `greet` is
 * called for each connection.
 */
export async function startReceiver(
  answer: (socket: Socket, request: string) => void,
  { host = '127.0.0.1', tls, greet }: { host?: string; tls?: TlsOptions; greet?: (socket: Socket) => void } = {},
): Promise<Receiver> {
  const connections: Socket[] = [];
  const requests: string[] = [];
  const serve = (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {}); // the other side hung up
    greet?.(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      requests.push(text);
      const request = text;
      text = '';
      answer(socket, request);
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('tlsClientError', () => {});
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections, requests };
}

function isWhole(text: string): boolean {
  const [head = '', ...body] = text.split('\r\n\r\n');
  if (body.length === 0) return false;
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return body.join('\r\n\r\n').length >= length;
}

export function respond(socket: Socket, body = 'ok', head = ''): void {
  socket.write(`HTTP/1.1 200 OK\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Returns a loopback port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns a loopback port whose process is stopped and whose queue is full, so that connecting gets no answer. */
export async function frozenPort(): Promise<number> {
  const program = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port)
  })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const waiting: Socket[] = [];
  onTestFinished(() => {
    child.kill('SIGKILL');
    for (const socket of waiting) socket.destroy();
  });
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  // The kernel takes backlog + 1 connections on its own.
  const port = Number(line);
  for (let i = 0; i < 4; i++) waiting.push(connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')));
  return port;
}
