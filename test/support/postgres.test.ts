import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabase } from './postgres.ts';

test('every test gets a migrated database of its own', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  const { rows } = await client.query('select count(*)::int as applied from schema_migrations');
  expect(rows[0].applied).toBeGreaterThan(0);
  expect(one.url).not.toBe(other.url);
  await client.end();
  await Promise.all([one.drop(), other.drop()]);
});
