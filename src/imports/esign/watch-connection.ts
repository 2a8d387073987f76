import { findConnection } from '../../esign/connection.ts';
import type { ImportDeps } from '../import-deps.ts';
import type { RunningVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

const everyMs = 2000;

/**
 * Aborts a vendor import whose connection is gone, refused or now belongs to another vendor account, even while it makes
 * no call: a rate limit may hold it back for a day. Returns a function that ends the watch.
 */
export function watchConnection(
  { world, database }: Pick<ImportDeps, 'world' | 'database'>,
  { vendorImport }: RunningVendorImport,
  failing: AbortController,
): () => void {
  async function check(): Promise<void> {
    const connection = await findConnection(database, vendorImport.account_id);
    if (connection?.vendor_account_id !== vendorImport.vendor_account_id)
      failing.abort(new VendorImportEnded('interrupted'));
    else if (connection.status === 'reconnect_needed') failing.abort(new VendorImportPaused());
  }

  const timer = setInterval(() => {
    check().catch((error) => world.log.warn('could not check the connection of a vendor import', { error }));
  }, everyMs);
  return () => clearInterval(timer);
}
