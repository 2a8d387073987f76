import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';

/** Ends the data exports of a company, which have what is erased. A job removes their archives within ten minutes. */
export async function endExports(world: World, tx: Tx, accountId: string): Promise<void> {
  await tx.query({
    name: 'end_data_exports',
    text: `update data_exports set status = 'cancelled', bytes = null, failure = null, opened_by = null, opened_until = null,
             expires_at = $2
           where account_id = $1 and status <> 'cancelled'`,
    values: [accountId, world.clock.now()],
  });
}
