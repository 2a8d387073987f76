import type { Queryable } from '../postgres/database.ts';

/** Returns when the first row of a table was created, through the index on its ids. */
export async function readFirst(
  db: Queryable,
  table: 'events' | 'webhook_deliveries' | 'messages' | 'notices' | 'direct_messages',
): Promise<Date | null> {
  const rows = await db.query<{ created_at: string }>({
    name: `first_of_${table}`,
    text: `select created_at from ${table} order by id limit 1`,
    values: [],
  });
  return rows[0] === undefined ? null : new Date(rows[0].created_at);
}

/** Returns the lowest value of an indexed column of times. */
export async function readLowest(db: Queryable, table: string, column: string): Promise<Date | null> {
  const rows = await db.query<{ lowest: string }>({
    name: `lowest_of_${table}`,
    text: `select ${column} as lowest from ${table} order by ${column} limit 1`,
    values: [],
  });
  return rows[0] === undefined ? null : new Date(rows[0].lowest);
}
