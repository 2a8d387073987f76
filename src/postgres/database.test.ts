import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from './database.ts';

test('a statement that waited for a connection does nothing after its time limit', async () => {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, connectionsMax: 1, timeoutMs: 60_000, log: createLog('silent') });
  const ask = (text: string) => ({ name: '', text, values: [] });
  try {
    await db.query(ask('create table made (at timestamptz)'));
    const before = db.query(ask('select pg_sleep(0.5)'));
    const late = db.within(1000).query(ask('insert into made select now() from pg_sleep(1.5)'));
    await expect(late).rejects.toThrow('the time limit of the request has passed');
    await before;
    await sleep(2500);
    expect(await db.query(ask('select * from made'))).toEqual([]);
    await db.within(30_000).query(ask('insert into made values (now())'));
    expect(await db.query(ask('select * from made'))).toHaveLength(1);
  } finally {
    await db.close();
    await database.drop();
  }
});
