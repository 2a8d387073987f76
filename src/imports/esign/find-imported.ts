import type { Queryable } from '../../postgres/database.ts';

/** Returns the vendor's id of an envelope that the account has imported before, or null. */
export async function findImported(db: Queryable, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ envelope_id: string }>({
    name: 'find_imported_envelope',
    text: 'select envelope_id from imported_envelopes where account_id = $1 order by envelope_id limit 1',
    values: [accountId],
  });
  return row?.envelope_id ?? null;
}
