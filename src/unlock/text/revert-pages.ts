import type { Tx } from '../../postgres/database.ts';
import type { Unlocked } from './find-unlocked.ts';

/** Reverts a page of the locked document, or all pages (null), to the unlocked text. Returns the pages that had changes. */
export async function revertPages(tx: Tx, { document_id }: Unlocked, page: number | null): Promise<number[]> {
  const rows = await tx.query<{ page: number }>({
    name: 'revert_unlocked_pages',
    text: `with counted as (update document_unlocks set version = version + 1 where document_id = $1)
           delete from unlocked_pages where document_id = $1 and ($2::int is null or page = $2) returning page`,
    values: [document_id, page],
  });
  return rows.map((row) => row.page).sort((a, b) => a - b);
}
