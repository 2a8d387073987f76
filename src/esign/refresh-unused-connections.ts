import type { EsignDeps } from './esign-deps.ts';
import { refreshTokens, takeRefreshLease } from './refresh-tokens.ts';

const unusedDaysMax = 7;
const perRunMax = 20;

/**
 * Refreshes the tokens of connections that were not used for a week. An unused consent expires, at DocuSign after thirty
 * days. The refresh also detects a withdrawn consent. The order is random, so that a connection that can't be refreshed does
 * not block the others. Those of removed companies expire. If the vendor does not answer, the next run of the scheduled job tries
 * again.
 */
export async function refreshUnusedConnections(deps: EsignDeps): Promise<void> {
  const { world, database, oauth } = deps;
  if (oauth === null) return;
  const unused = await database.query<{ account_id: string; generation: number }>({
    name: 'find_unused_esign_connections',
    text: `select account_id, generation from esign_connections
           where refused_at is null and refreshed_at <= $1
             and exists (select from accounts where id = account_id and removed_at is null) order by random() limit $2`,
    values: [new Date(world.clock.now().getTime() - unusedDaysMax * 86_400_000), perRunMax],
  });
  for (const { account_id, generation } of unused) {
    const lease = await takeRefreshLease(deps, account_id, generation);
    if (lease !== null && (await refreshTokens(deps, lease)) === 'unavailable') return;
  }
}
