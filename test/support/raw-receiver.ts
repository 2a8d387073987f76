import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A receiver that answers with exact bytes. */
export interface RawReceiver {
  /** `http://127.0.0.1:PORT/hook` */
  url: string;
  /** Number of complete requests. */
  requests: number;
  /** Number of open connections. */
  open(): number;
  stop(): Promise<void>;
}

/** `answer` is called for each complete request. */
export async function startRawReceiver(answer: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the sender hung up
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (!isWhole(text)) return;
      text = '';
      receiver.requests += 1;
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: RawReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests: 0,
    open: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1]);
  return end >= 0 && Buffer.byteLength(text.slice(end + 4)) >= length;
}

/** Writes `piece` at intervals until the socket is closed. */
export function drip(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Writes `piece` endlessly, as fast as it is accepted. */
export function flood(socket: Socket, piece: Buffer): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(piece)) {}
  };
  socket.on('drain', pour);
  pour();
}
