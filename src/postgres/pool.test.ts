import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { DatabaseFailure, openDatabase } from './database.ts';

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const goesAway = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

test('a server killed as it becomes ready fails the statement, not the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, goesAway])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const url = `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres?sslmode=disable`;
  const database = openDatabase({ url, connectionsMax: 2, log: createLog('silent') });

  const select = { name: '', text: 'select 1', values: [] };
  await expect(database.query(select)).rejects.toThrow(DatabaseFailure);
  await expect(database.transaction((tx) => tx.query(select))).rejects.toThrow(DatabaseFailure);
  await database.close();
});
