import type { Membership } from '../accounts/members.ts';
import type { Person } from './people.ts';
import type { Session } from './sessions.ts';

/**
 * The companies that a session opens. One of a company's provider opens that company only. Others don't open a company with only
 * single sign-on, except for its owners with two factors, who must get in when the provider fails.
 */
export function openable(
  { only_account_id: onlyAccountId, method }: Pick<Session, 'only_account_id' | 'method'>,
  { totp_confirmed_at: totpSince }: Pick<Person, 'totp_confirmed_at'>,
  memberships: readonly Membership[],
): Membership[] {
  if (onlyAccountId !== null) return memberships.filter(({ account_id }) => account_id === onlyAccountId);
  // An owner whom this keeps out can't set one up (`factor_locked`), so a code or a passkey was needed for this session.
  const hasTwoFactors = method === 'passkey' || totpSince !== null;
  return memberships.filter(({ requires_sso, role }) => !requires_sso || (role === 'owner' && hasTwoFactors));
}
