import type { SecretBox } from '../platform/secret-box.ts';
import type { Queryable } from '../postgres/database.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

export interface Resealed {
  /** Was encrypted with the previous key, now with SECRET_KEY. */
  resealed: number;
  /** Encrypted with SECRET_KEY already. */
  current: number;
  /** Neither key decrypts it. It is lost unless the right key is found. */
  unreadable: number;
}

const rowsAtOnce = 500;
const lowest = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts with SECRET_KEY every secret that SECRET_KEY_PREVIOUS encrypted. Skips rows that change meanwhile: the change
 * encrypts them with SECRET_KEY. `dryRun`: only counts.
 */
export async function resealSecrets(db: Queryable, box: SecretBox, { dryRun = false } = {}): Promise<Resealed> {
  const reseal = dryRun ? countOnly : update;
  const total: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  for (const sealed of sealedColumns) {
    for (let after: string | null = lowest; after !== null; ) {
      after = await resealRows(db, box, sealed, after, total, reseal);
    }
  }
  return total;
}

/** The key of the last row, or null at the end. */
async function resealRows(
  db: Queryable,
  box: SecretBox,
  sealed: SealedColumn,
  after: string,
  total: Resealed,
  record: typeof update,
): Promise<string | null> {
  const { table, key, column, contextOf } = sealed;
  const rows = await db.query<SealedRow>({
    name: `sealed_${table}_${column}`,
    text: `select ${key} as key, ${column} as sealed from ${table}
           where ${key} > $1 and ${column} is not null order by ${key} limit $2`,
    values: [after, rowsAtOnce],
  });
  for (const row of rows) {
    const outcome = resealOne(box, row.sealed, contextOf(row.key));
    if (Buffer.isBuffer(outcome)) await record(db, sealed, row, outcome);
    total[Buffer.isBuffer(outcome) ? 'resealed' : outcome]++;
  }
  return rows.at(-1)?.key ?? null;
}

interface SealedRow {
  key: string;
  sealed: Buffer;
}

async function update(
  db: Queryable,
  { table, key, column }: SealedColumn,
  row: SealedRow,
  resealed: Buffer,
): Promise<void> {
  await db.query({
    name: `reseal_${table}_${column}`,
    text: `update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2`,
    values: [row.key, row.sealed, resealed],
  });
}

async function countOnly(): Promise<void> {}

function resealOne(box: SecretBox, sealed: Buffer, context: string): Buffer | 'current' | 'unreadable' {
  try {
    return box.reencrypt(sealed, context) ?? 'current';
  } catch {
    return 'unreadable';
  }
}
