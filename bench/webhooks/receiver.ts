import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/**
 * Acknowledges every POST as cheaply as possible, because the sender is measured. Uses TLS with RECEIVER_KEY and
 * RECEIVER_CERT (PEM). A GET returns what was received since the last one: the number of events, and their delays from
 * `created_at` in milliseconds.
 */
const { RECEIVER_KEY: key, RECEIVER_CERT: cert } = process.env;
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
let count = 0;
let delaysMs: number[] = [];

const server = key === undefined || cert === undefined ? createServer() : createTlsServer({ key, cert });
server.on(key === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
  let pending = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (text: string) => {
    pending += text;
    for (;;) {
      if (pending.startsWith('GET ')) return socket.end(takeCounts());
      const end = pending.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      const createdAt = /"created_at":"([^"]+)"/.exec(pending.slice(end + 4, end + 4 + length))?.[1];
      if (createdAt !== undefined) delaysMs.push(Date.now() - Date.parse(createdAt));
      count += 1;
      pending = pending.slice(end + 4 + length);
      socket.write(answer);
    }
  });
});

function takeCounts(): string {
  const body = JSON.stringify({ count, delaysMs });
  count = 0;
  delaysMs = [];
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
