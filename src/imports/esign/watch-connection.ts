import { findConnection } from '../../esign/connection.ts';
import type { ImportDeps } from '../import-deps.ts';
import type { RunningVendorImport } from './vendor-import.ts';
import { VendorImportEnded, VendorImportPaused } from './vendor-import-ended.ts';

const everyMs = 2000;

/**
 * Stops a sweep whose connection is gone, refused or another's now, although it makes no call: the vendor may have asked
 * it to wait for a day. Returns what ends the watch.
 */
export function watchConnection(
  { world, database }: Pick<ImportDeps, 'world' | 'database'>,
  { vendorImport }: RunningVendorImport,
  failing: AbortController,
): () => void {
  async function look(): Promise<void> {
    const connection = await findConnection(database, vendorImport.account_id);
    if (connection?.vendor_account_id !== vendorImport.vendor_account_id)
      failing.abort(new VendorImportEnded('interrupted'));
    else if (connection.status === 'reconnect_needed') failing.abort(new VendorImportPaused());
  }

  const timer = setInterval(() => {
    look().catch((error) => world.log.warn('could not look at the connection of a migration', { error }));
  }, everyMs);
  return () => clearInterval(timer);
}
