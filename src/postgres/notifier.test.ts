import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import { eventually } from '../../test/support/service.ts';
import { createLog } from '../world/log.ts';
import { type Database, openDatabase } from './database.ts';

let fresh: FreshDatabase;
let db: Database;
let listener: pg.Client;
let heard: string[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  db = openDatabase({ url: fresh.url, connectionsMax: 4, log: createLog('silent') });
  listener = new pg.Client({ connectionString: fresh.url });
  await listener.connect();
  await listener.query('listen changes');
  await listener.query('create table changes (n int)');
  listener.on('notification', ({ channel }) => heard.push(channel));
});
afterAll(async () => {
  await listener.end();
  await db.close();
  await fresh.drop();
});

const write = { name: 'write_change', text: 'insert into changes values (1)', values: [] };
const count = async () => (await listener.query('select count(*)::int as n from changes')).rows[0].n as number;

test('a listener hears of a change once it can see it', async () => {
  heard = [];
  const before = await count();
  await db.transaction(async (tx) => {
    tx.notify('changes');
    await tx.query(write);
  });
  await eventually(
    async () => heard.length,
    (times) => times > 0,
  );
  expect(heard).toEqual(['changes']);
  expect(await count()).toBe(before + 1);
});

test('of a change that was rolled back nobody hears, and a hundred at once are said together', async () => {
  heard = [];
  const refused = db.transaction(async (tx) => {
    tx.notify('changes');
    await tx.query(write);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(heard).toEqual([]);

  const before = await count();
  const change = () =>
    db.transaction(async (tx) => {
      await tx.query(write);
      tx.notify('changes');
    });
  await Promise.all(Array.from({ length: 100 }, change));
  expect(await count()).toBe(before + 100);
  await eventually(
    async () => heard.length,
    (times) => times > 0,
  );
  expect(heard.length).toBeLessThan(100);
});

test('closing waits until what was asked for has been said', async () => {
  await listener.query('listen closing'); // of 'changes' the test before may still be told
  heard = [];
  const brief = openDatabase({ url: fresh.url, connectionsMax: 1, log: createLog('silent') });
  await brief.transaction(async (tx) => tx.notify('closing'));
  await brief.close();
  const closing = () => heard.filter((channel) => channel === 'closing').length;
  await eventually(
    async () => closing(),
    (times) => times > 0,
  );
  expect(closing()).toBe(1);
});
