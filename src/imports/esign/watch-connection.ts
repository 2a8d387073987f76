import { findConnection } from '../../esign/connection.ts';
import type { ImportMeans } from '../import-means.ts';
import type { RunningSweep } from './sweep.ts';
import { SweepEnded, SweepPaused } from './sweep-ended.ts';

const everyMs = 2000;

/**
 * Stops a sweep whose connection is gone, refused or another's now, although it makes no call: the vendor may have asked
 * it to wait for a day. Returns what ends the watch.
 */
export function watchConnection(
  { world, database }: Pick<ImportMeans, 'world' | 'database'>,
  { sweep }: RunningSweep,
  failing: AbortController,
): () => void {
  async function look(): Promise<void> {
    const connection = await findConnection(database, sweep.account_id);
    if (connection?.vendor_account_id !== sweep.vendor_account_id) failing.abort(new SweepEnded('interrupted'));
    else if (connection.status === 'reconnect_needed') failing.abort(new SweepPaused());
  }

  const timer = setInterval(() => {
    look().catch((error) => world.log.warn('could not look at the connection of a migration', { error }));
  }, everyMs);
  return () => clearInterval(timer);
}
