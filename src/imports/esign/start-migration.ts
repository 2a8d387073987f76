import { ApiError } from '../../errors.ts';
import { findConnection } from '../../esign/connection.ts';
import type { Tx } from '../../postgres/database.ts';
import type { Import } from '../import.ts';
import type { ImportMeans } from '../import-means.ts';
import { importColumns } from '../queries.ts';
import type { ImportWish } from '../start-import-body.ts';
import { beginningOfTime, createSweep } from './sweep.ts';

/**
 * Writes down a migration, with every count at zero; a worker takes it from there. Throws `esign_not_connected`, also
 * for a connection that the vendor refuses, and `import_already_running`.
 */
export async function startMigration(
  { world }: Pick<ImportMeans, 'world'>,
  tx: Tx,
  { accountId, keyId }: { accountId: string; keyId: string | null },
  { earliest, unlockDoc }: Pick<Extract<ImportWish, { source: 'esign_vendor' }>, 'earliest' | 'unlockDoc'>,
): Promise<Import> {
  const connection = await findConnection(tx, accountId);
  if (connection?.status !== 'connected') throw notConnected(connection !== null);
  const [created] = await tx.query<Import>({
    name: 'create_migration',
    text: `insert into imports (id, account_id, source, status, unlock_doc, api_key_id, total_files, created_at)
           values ($1, $2, 'esign_vendor', 'running', $3, $4, 0, $5)
           on conflict (account_id) where source = 'esign_vendor' and status = 'running' do nothing
           returning ${importColumns}`,
    values: [world.newId(), accountId, unlockDoc, keyId, world.clock.now()],
  });
  if (created === undefined) throw new ApiError('import_already_running');
  const from = earliest === null ? beginningOfTime : new Date(earliest);
  const wish = { importId: created.id, accountId, vendorAccountId: connection.vendor_account_id, from };
  await createSweep(world, tx, wish);
  return created;
}

function notConnected(isRefused: boolean): ApiError {
  const message = 'The e-signature vendor no longer accepts the connection: connect it again in Settings.';
  return new ApiError('esign_not_connected', { param: 'source', ...(isRefused && { message }) });
}
