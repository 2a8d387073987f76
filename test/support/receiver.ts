import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A webhook as the receiver's code sees it. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body. */
  raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: an event is whatever the test expects it to be
  event: any;
  path: string;
  /** The number of the TCP connection it came on. */
  connection: number;
}

export interface Receiver {
  /** `http://127.0.0.1:PORT/hook` */
  url: string;
  port: number;
  received: Received[];
  /** Sets how requests are answered from now on. If it does not end the response, the sender waits. */
  answer: (response: ServerResponse, received: Received) => void;
  connections(): number;
  stop(): Promise<void>;
}

/** A webhook receiver that acknowledges everything by default. */
export async function startReceiver(tls?: { key: string; cert: string }, host = '127.0.0.1'): Promise<Receiver> {
  let connections = 0;
  const numbers = new WeakMap<object, number>();
  const receiver: Receiver = {
    url: '',
    port: 0,
    received: [],
    answer: (response) => response.end('thanks'),
    connections: () => connections,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  server.on('request', async (request, response) => {
    const raw = await buffer(request).catch(() => null);
    if (raw === null) return; // the sender went away
    const received = {
      headers: request.headers,
      raw,
      event: JSON.parse(raw.toString('utf8')),
      path: request.url ?? '',
      connection: numbers.get(request.socket) ?? 0,
    };
    receiver.received.push(received);
    receiver.answer(response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `${tls === undefined ? 'http' : 'https'}://${host}:${receiver.port}/hook`;
  return receiver;
}

/** Checks a signature as a careful receiver does (spec.md, Signature): one `v1` value matches, and the time is recent. */
export function isSignedWith(secret: string, { headers, raw }: Received, now: Date): boolean {
  const parts = String(headers['x-service-signature'])
    .split(',')
    .map((part) => part.split('=') as [string, string]);
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(now.getTime() / 1000 - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(raw).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
