import type { AccountAction } from '../accounts/account-audit.ts';

type Doer = 'operator' | 'service' | 'unknown';

interface Act {
  action: AccountAction;
  /** The detail `by` of the entry. Absent: any. */
  by?: string;
  doer: Doer;
}

/**
 * Entries without a person that the operator didn't make. The service ends bulk sends whose template changed, looks up the
 * DNS records of custom domains by itself, and changes roles as the groups of single sign-on say.
 */
const others: readonly Act[] = [
  { action: 'sign_in_failed', doer: 'unknown' },
  { action: 'bulk_send_stopped', doer: 'service' },
  { action: 'custom_domain_broken', doer: 'service' },
  { action: 'custom_domain_activated', by: 'dns', doer: 'service' },
  { action: 'member_role_changed', by: 'sso', doer: 'service' },
];

/** Returns who made an entry without a person. `unknown`: someone who was refused, and may be no member. */
export function doerWithoutPerson(action: AccountAction, detail: Record<string, unknown>): Doer {
  const act = others.find((other) => other.action === action && (other.by === undefined || other.by === detail.by));
  return act?.doer ?? 'operator';
}

/** SQL for the same, with an empty text for `unknown`. `e`: the alias of the entry. */
export function doerWithoutPersonSql(e: string): string {
  const cases = others.map(({ action, by, doer }) => {
    const isIt = `${e}.action = '${action}'${by === undefined ? '' : ` and ${e}.detail ->> 'by' = '${by}'`}`;
    return `when ${isIt} then '${doer === 'unknown' ? '' : doer}'`;
  });
  return `case ${cases.join(' ')} else 'operator' end`;
}
