import pg from 'pg';
import { expect, test } from 'vitest';
import { exportedTables, type TableDecision } from '../../src/data-export/exported-tables.ts';
import { freshDatabase } from '../support/postgres.ts';

/** A new table or column needs a decision in src/data-export/exported-tables.ts. */
test('every column of every table is exported, or left out for a reason', async () => {
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns where table_schema = 'public' group by table_name order by table_name`,
  );
  await client.end();
  await database.drop();

  const decisions: Record<string, TableDecision> = exportedTables;
  expect(Object.keys(decisions).toSorted()).toEqual(rows.map(({ table }) => table).toSorted());
  for (const { table, columns } of rows) {
    const decision = decisions[table] as TableDecision;
    if (!('columns' in decision)) continue;
    const leftOut = Object.keys(decision.leftOut ?? {});
    expect([...decision.columns, ...leftOut].toSorted(), table).toEqual(columns.toSorted());
  }
});

test('nothing that is a secret is exported', () => {
  const names = Object.entries(exportedTables).flatMap(([table, decision]) =>
    'columns' in decision ? decision.columns.map((column) => `${table}.${column}`) : [],
  );
  expect(names.filter((name) => /secret|token|password|hmac|challenge|_link$/.test(name))).toEqual([]);
  // Hashes of contents and of the chain are no secrets.
  expect(names.filter((name) => /hash/.test(name))).toEqual([
    'audit_entries.previous_hash',
    'audit_entries.hash',
    'documents.audit_hash',
  ]);
});
