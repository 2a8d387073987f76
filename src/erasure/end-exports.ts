import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';

/**
 * Ends the data exports of companies, which have what is erased. A job removes their archives within ten minutes. Skips null,
 * which rows of no company have.
 */
export async function endExports(world: World, tx: Tx, accountIds: Iterable<string | null>): Promise<void> {
  await tx.query({
    name: 'end_data_exports',
    text: `update data_exports set status = 'cancelled', bytes = null, failure = null, opened_by = null, opened_until = null,
             expires_at = $2
           where account_id = any ($1::uuid[]) and status <> 'cancelled'`,
    values: [[...new Set(accountIds)], world.clock.now()],
  });
}
