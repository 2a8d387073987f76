import type { Database } from '../../src/postgres/database.ts';

const rowsAtOnce = 2000;

/**
 * Inserts `count` rows in parts, because a statement has a time limit. The rows of a part are
 * `generate_series($1::int, $2::int)`, and `values` follow from `$3` on.
 */
export async function insertMany(db: Database, count: number, text: string, values: unknown[]): Promise<void> {
  for (let first = 1; first <= count; first += rowsAtOnce) {
    const last = Math.min(first + rowsAtOnce - 1, count);
    await db.query({ name: '', text, values: [first, last, ...values] });
  }
}
