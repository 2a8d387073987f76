import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { databaseUrl, freshDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../platform/log.ts';
import { DatabaseFailure, openDatabase, sqlState } from './database.ts';

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

test('connections to a server that became a standby are replaced after the first refused write', async () => {
  const fresh = await freshDatabase();
  const [timeoutMs, log] = [60_000, createLog('silent')];
  const database = openDatabase({ url: fresh.url, connectionsMax: 3, timeoutMs, log });
  const admin = openDatabase({ url: databaseUrl(fresh.url, 'postgres'), connectionsMax: 1, timeoutMs, log });
  onTestFinished(async () => {
    await Promise.all([database.close(), admin.close()]);
    await fresh.drop();
  });
  const name = new URL(fresh.url).pathname.slice(1);
  const tell = (value: string) =>
    admin.query({ name: '', text: `alter database ${name} set default_transaction_read_only = ${value}`, values: [] });
  const write = () =>
    database.transaction((tx) => tx.query({ name: 'write', text: 'update documents set status = status', values: [] }));
  const hold = () => database.query({ name: 'hold', text: 'select pg_sleep(0.1)', values: [] });

  // Sessions keep the setting that they began with, as connections keep their server.
  await tell('on');
  await Promise.all([hold(), hold(), hold()]);
  await tell('off');
  const outcomes: string[] = [];
  for (let i = 0; i < 3; i++)
    outcomes.push(
      await write().then(
        () => 'written',
        (error) => sqlState(error) ?? 'other',
      ),
    );
  expect(outcomes).toEqual(['25006', 'written', 'written']);
});
