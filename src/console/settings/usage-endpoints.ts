import { findAccount } from '../../accounts/manage-accounts.ts';
import { readPlan } from '../../accounts/read-plan.ts';
import { pageCreditEntries, readBalance } from '../../usage/credits.ts';
import { readImportUse } from '../../usage/import-quota.ts';
import { readRateUse, readUsageDays } from '../../usage/read-usage.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { type PagePosition, readListPage } from '../core/open-list.ts';

const daysShown = 30;

/** The limits of the company's plan, and their usage. */
export const usageEndpoints = [
  forMembers('GET /usage', 'member', {}, show),
  forMembers('GET /credits', 'member', {}, listCredits),
];

function show(deps: ConsoleDeps, { caller }: MemberCall) {
  return readAccountUsage(deps, caller.membership.account_id);
}

/** Rates are units of the current minute and day, storage is bytes of the month, and `days` are UTC days, today last. */
export async function readAccountUsage({ world, db, plans }: ConsoleDeps, accountId: string) {
  const now = world.clock.now();
  const [account, plan, rate, imports, balance, days] = await Promise.all([
    findAccount(db, accountId),
    readPlan(db, plans, accountId),
    readRateUse(db, accountId, now),
    readImportUse(db, accountId, now),
    readBalance(world, db, plans, accountId),
    readUsageDays(db, accountId, now, daysShown),
  ]);
  return {
    tier: account?.tier ?? null,
    plan,
    used: {
      requests_this_minute: rate.minute_used,
      requests_today: rate.day_used,
      import_files_today: imports.dayFiles,
      import_bytes_this_month: imports.monthBytes,
      import_bytes_reserved: imports.reservedBytes,
    },
    credits: { balance: balance.credits, due: balance.due },
    days,
  };
}

async function listCredits(deps: ConsoleDeps, call: MemberCall) {
  const read = ({ accountId, afterId, limit }: PagePosition) =>
    pageCreditEntries(deps.db, accountId, readerOf(call), afterId, limit);
  return readListPage(deps, call, 'credits', read, ({ is_hidden, ...entry }) =>
    is_hidden ? { ...entry, document_id: null } : entry,
  );
}
