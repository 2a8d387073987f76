import type { Tx } from '../postgres/database.ts';

const rowsAtOnceDefault = 500;

/** Reads all rows of a statement through a cursor, so that only a few are in memory. $1 is the account. No batch is empty. */
export async function* readRows<Row>(
  tx: Tx,
  sql: string,
  accountId: string,
  rowsAtOnce = rowsAtOnceDefault,
): AsyncGenerator<Row[]> {
  await tx.query({ name: '', text: `declare exported no scroll cursor for ${sql}`, values: [accountId] });
  let rows: Row[];
  do {
    rows = await tx.query<Row>({ name: '', text: `fetch ${rowsAtOnce} from exported`, values: [] });
    if (rows.length > 0) yield rows;
  } while (rows.length === rowsAtOnce);
  await tx.query({ name: '', text: 'close exported', values: [] });
}

/** Returns a row with hashes in hexadecimal digits, and with the values of texts that are JSON. */
export function exportedRow(row: object, json: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (Buffer.isBuffer(value)) return [name, value.toString('hex')];
      return [name, json.includes(name) && typeof value === 'string' ? parsed(value) : value];
    }),
  );
}

/** What is no JSON was tampered with. It stays as it is, so that a check notices it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
