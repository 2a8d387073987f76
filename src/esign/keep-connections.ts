import type { EsignMeans } from './esign-means.ts';
import { refreshTokens, takeRefreshLease } from './refresh-tokens.ts';

const unusedDaysMax = 7;
const atOnce = 20;

/**
 * A consent that nobody uses ends, at DocuSign after thirty days: its tokens are replaced each week, which also shows
 * when it was withdrawn. At random, so that one that cannot be refreshed holds up no other; a vendor that does not answer
 * is asked again by the next sweep.
 */
export async function keepConnections(means: EsignMeans): Promise<void> {
  const { world, database, oauth } = means;
  if (oauth === null) return;
  const unused = await database.query<{ account_id: string; generation: number }>({
    name: 'find_unused_esign_connections',
    text: `select account_id, generation from esign_connections
           where refused_at is null and refreshed_at <= $1 order by random() limit $2`,
    values: [new Date(world.clock.now().getTime() - unusedDaysMax * 86_400_000), atOnce],
  });
  for (const { account_id, generation } of unused) {
    const lease = await takeRefreshLease(means, account_id, generation);
    if (lease !== null && (await refreshTokens(means, lease)) === 'unavailable') return;
  }
}
