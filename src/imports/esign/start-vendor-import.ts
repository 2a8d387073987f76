import { auditAccount } from '../../accounts/account-audit.ts';
import { ApiError } from '../../errors.ts';
import { findConnection } from '../../esign/connection.ts';
import type { Tx } from '../../postgres/database.ts';
import type { Import } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { importColumns } from '../queries.ts';
import type { VendorImportRequest } from '../start-import-body.ts';
import { beginningOfTime } from './vendor-envelope.ts';
import { createVendorImport } from './vendor-import.ts';

/** An API key, a person in the console, or (null) the operator. */
export type VendorImportStarter = { accountId: string } & ({ keyId: string } | { personId: string | null });

/**
 * Creates a vendor import with every count at zero; a worker runs it. The account's audit names who started it, unless
 * an API key did. Throws `esign_not_connected`, also for a connection that the vendor refuses, and
 * `import_already_running`.
 */
export async function startVendorImport(
  { world }: Pick<ImportDeps, 'world'>,
  tx: Tx,
  { accountId, ...by }: VendorImportStarter,
  { earliest, unlockDoc }: Pick<VendorImportRequest, 'earliest' | 'unlockDoc'>,
): Promise<Import> {
  const connection = await findConnection(tx, accountId);
  if (connection?.status !== 'connected') throw notConnected(connection !== null);
  const [created] = await tx.query<Import>({
    name: 'create_migration',
    text: `insert into imports (id, account_id, source, status, unlock_doc, api_key_id, started_by, total_files,
             created_at)
           values ($1, $2, 'esign_vendor', 'running', $3, $4, $5, 0, $6)
           on conflict (account_id) where source = 'esign_vendor' and status = 'running' do nothing
           returning ${importColumns}`,
    values: [
      world.newId(),
      accountId,
      unlockDoc,
      'keyId' in by ? by.keyId : null,
      'personId' in by ? by.personId : null,
      world.clock.now(),
    ],
  });
  if (created === undefined) throw new ApiError('import_already_running');
  const from = earliest === null || new Date(earliest) < beginningOfTime ? beginningOfTime : new Date(earliest);
  const input = { importId: created.id, accountId, vendorAccountId: connection.vendor_account_id, from };
  await createVendorImport(world, tx, input);
  if ('personId' in by) {
    const detail = { import_id: created.id, earliest, unlock_doc: unlockDoc };
    await auditAccount(world, tx, { accountId, ...by, action: 'migration_started', detail });
  }
  return created;
}

function notConnected(isRefused: boolean): ApiError {
  const message = 'The e-signature vendor no longer accepts the connection: connect it again in Settings.';
  return new ApiError('esign_not_connected', { param: 'source', ...(isRefused && { message }) });
}
