import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { BatchingSocket } from './batching-socket.ts';

/** Connects, and collects the pieces that arrive. */
async function connectTo(received: string[]): Promise<BatchingSocket> {
  const server = createServer((peer) => peer.on('data', (data) => received.push(data.toString())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = new BatchingSocket();
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('what is written in one turn arrives together, also from promises that are settled', async () => {
  const received: string[] = [];
  const socket = await connectTo(received);
  socket.write('a');
  socket.cork();
  socket.write('b');
  socket.uncork();
  await Promise.resolve();
  socket.write('c');
  expect(socket.writableLength).toBe(3);
  await expect.poll(() => received).toEqual(['abc']);
  expect(socket.writableLength).toBe(0);
});

test('what is written in later turns is sent by itself, and the last of it before the end', async () => {
  const received: string[] = [];
  const socket = await connectTo(received);
  socket.write('a');
  await expect.poll(() => received).toEqual(['a']);
  socket.write('b');
  await expect.poll(() => received).toEqual(['a', 'b']);
  socket.end('c');
  await expect.poll(() => received).toEqual(['a', 'b', 'c']);
});
