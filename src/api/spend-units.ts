import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import type { RateState } from '../usage/rate-state.ts';
import { rateWindowAt } from '../usage/rate-window.ts';

/** `rate` is for the response headers, granted or not. */
export interface Spent {
  isGranted: boolean;
  rate: RateState;
}

/** Spends more units of an account's budget for a request that was admitted with one. */
export type SpendUnits = (accountId: string, admitted: RateState, units: number) => Promise<Spent>;

interface Budget {
  isGranted: boolean;
  minute: number;
  minute_used: number;
  day: number;
  day_used: number;
}

/**
 * Spends all units or none. When they don't fit, the unit of the admission is returned too, because a request that the
 * budget refuses spends nothing. It is not returned to another minute or day than it was taken from.
 */
export function createSpendUnits(world: World, counters: Queryable): SpendUnits {
  return async (accountId, admitted, units) => {
    const window = rateWindowAt(world.clock.now());
    const [budget] = await counters.query<Budget>({
      name: 'spend_rate_units',
      text: `
        with locked as (
          select account_id,
                 case when minute - $3 between 1 and 2 then minute else $3 end as minute,
                 case when minute = $3 or minute - $3 between 1 and 2 then minute_used else 0 end as minute_used,
                 case when day - $4 = 1 then day else $4 end as day,
                 case when day - $4 between 0 and 1 then day_used else 0 end as day_used
          from rate_usage where account_id = $1 for update
        ), judged as (
          select *, minute_used + $2 <= $5 and day_used + $2 <= $6 as granted from locked
        )
        update rate_usage u
        set minute = j.minute, day = j.day,
            minute_used = case when granted then j.minute_used + $2
              when j.minute = $7 then greatest(0, j.minute_used - 1) else j.minute_used end,
            day_used = case when granted then j.day_used + $2
              when j.day = $8 then greatest(0, j.day_used - 1) else j.day_used end
        from judged j where u.account_id = j.account_id
        returning j.granted as "isGranted", u.minute, u.minute_used, u.day, u.day_used`,
      values: [
        ...[accountId, units, window.minute, window.day, admitted.limitBurst, admitted.limitDaily],
        ...[admitted.window.minute, admitted.window.day],
      ],
    });
    if (budget === undefined) throw new Error(`account ${accountId} has no budget row`);
    const rate = {
      ...admitted,
      remainingBurst: Math.max(0, admitted.limitBurst - budget.minute_used),
      remainingDaily: Math.max(0, admitted.limitDaily - budget.day_used),
      window: { minute: budget.minute, day: budget.day },
    };
    return { isGranted: budget.isGranted, rate };
  };
}
