import type { AccountAction } from '../accounts/account-audit.ts';

/** Whether an entry without a person is what the service did by itself: it looks up the records of custom domains. */
export function isDoneByService(action: AccountAction, detail: Record<string, unknown>): boolean {
  return action === 'custom_domain_broken' || (action === 'custom_domain_activated' && detail.by === 'dns');
}

/** SQL for who did an entry without a person: `service`, `operator`, or an empty text. `e`: the alias of the entry. */
export function nobodyInSql(e: string): string {
  return `case when ${e}.action = 'sign_in_failed' then ''
    when ${e}.action = 'custom_domain_broken' or (${e}.action = 'custom_domain_activated' and ${e}.detail ->> 'by' = 'dns')
      then 'service' else 'operator' end`;
}
