import { checkDomain } from './check-domain.ts';
import type { DomainDeps } from './domain-deps.ts';

/** Domains of one run. Each takes some seconds at most, when name servers don't answer. */
const atOnceMax = 20;
/** After a crash, a domain that was claimed is checked again this much later. */
const claimMinutes = 5;

/** Checks the domains that are due. Each is claimed first, so that no two workers look up the same one. */
export async function checkDueDomains(deps: DomainDeps, stopping: AbortSignal): Promise<void> {
  const { world, db, publicUrl } = deps;
  if (publicUrl === null) return;
  while (!stopping.aborted) {
    const now = world.clock.now();
    const due = await db.query<{ account_id: string }>({
      name: 'claim_custom_domains',
      text: `update custom_domains set next_check_at = $2 where account_id in (
               select account_id from custom_domains where next_check_at <= $1
               order by next_check_at limit ${atOnceMax} for update skip locked
             ) returning account_id`,
      values: [now, new Date(now.getTime() + claimMinutes * 60_000)],
    });
    const outcomes = await Promise.allSettled(
      due.map(({ account_id: accountId }) => checkDomain(deps, { accountId, personId: null })),
    );
    const failure = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure !== undefined) throw failure.reason;
    if (due.length < atOnceMax) return;
  }
}
