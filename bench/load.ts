import { createConnection, type Socket } from 'node:net';

export interface LoadResult {
  requestsPerSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  /** All answers, with those before and after the counted time. */
  answers: number;
}

export interface LoadOptions {
  port: number;
  connections: number;
  /** Milliseconds of counted load, after a tenth of it uncounted. */
  durationMs: number;
  /** The bytes of the next request; called once per request with the last answer of its connection, if there is one. */
  next: (answered: Buffer | null) => Buffer;
}

/**
 * Closed-loop load over keep-alive connections: each sends its next request when the last one is answered. It uses raw
 * sockets and a parser that only counts bytes, to take little of the shared cores. Throws for any answer that is not 2xx,
 * because refusals are fast.
 */
export async function runLoad({ port, connections, durationMs, next }: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  let answers = 0;
  const startAt = performance.now() + durationMs / 10;
  const endAt = startAt + durationMs;
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(port, next, (sentAt, doneAt) => {
        answers += 1;
        if (sentAt >= startAt && doneAt <= endAt) latencies.push(doneAt - sentAt);
        return doneAt < endAt;
      }),
    ),
  );
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { requestsPerSecond: (latencies.length / durationMs) * 1000, p50: at(0.5), p99: at(0.99), answers };
}

function converse(
  port: number,
  next: LoadOptions['next'],
  record: (sentAt: number, doneAt: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    let pending = Buffer.alloc(0);
    let sentAt = 0;
    const send = (answered: Buffer | null) => {
      const request = next(answered);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', () => send(null));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const length = answerLength(pending);
      if (length === null || pending.length < length) return;
      if (pending[9] !== 0x32) {
        socket.destroy();
        reject(new Error(`not a 2xx: ${pending.toString('utf8').slice(0, 600)}`));
        return;
      }
      const answered = pending;
      pending = pending.subarray(length);
      if (record(sentAt, performance.now())) send(answered);
      else socket.end(resolve);
    });
  });
}

const lengthHeader = /content-length: (\d+)/i;

function answerLength(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const match = lengthHeader.exec(bytes.toString('latin1', 0, end));
  return end + 4 + Number(match?.[1] ?? 0);
}

export function httpRequest(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
