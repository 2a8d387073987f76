import { auditAccount } from '../accounts/account-audit.ts';
import { findAccount } from '../accounts/manage-accounts.ts';
import { lockMembers } from '../accounts/members.ts';
import { hashToken, isToken } from '../identity/token.ts';
import { takeAuthorization } from './authorization.ts';
import type { EsignDeps } from './esign-deps.ts';
import { replaceConnection } from './replace-connection.ts';

/** The reason why the vendor was not connected. The page explains each. */
export type ConnectingFailure =
  /** The callback address is forged, used, older than ten minutes, or belongs to another browser. */
  | 'not_asked_for'
  /** The owner has switched to another account since. */
  | 'other_company'
  /** The user is no longer an owner, or the company was removed. */
  | 'forbidden'
  /** The user declined. */
  | 'declined'
  /** The vendor refused to issue tokens. */
  | 'refused'
  | 'unavailable'
  /** The user has no account at the vendor, or none whose address this service may call. */
  | 'no_account';

export type ConnectingOutcome = 'connected' | ConnectingFailure;

/** The user who came back from the vendor: the session and its current rights. */
export interface ReturningUser {
  sessionId: string;
  personId: string;
  accountId: string | null;
  memberId: string | null;
  isOwner: boolean;
}

/**
 * Connects the vendor after the owner's consent. `callback` is the whole address that the vendor redirected the browser
 * to.
 */
export async function completeConnecting(
  deps: EsignDeps,
  callback: URL,
  { sessionId, personId, accountId, memberId, isOwner }: ReturningUser,
): Promise<ConnectingOutcome> {
  const { world, database, secretBox, oauth } = deps;
  const state = callback.searchParams.get('state') ?? '';
  const authorization = isToken(state)
    ? await takeAuthorization(world, database, secretBox, hashToken(state), sessionId)
    : null;
  if (authorization === null || oauth === null) return 'not_asked_for';
  if (authorization.accountId !== accountId) return 'other_company';
  if (!isOwner) return 'forbidden';
  const error = callback.searchParams.get('error');
  if (error !== null) return error === 'access_denied' ? 'declined' : 'refused';

  const exchanged = await oauth.exchange(callback, { state, codeVerifier: authorization.codeVerifier });
  if (exchanged.kind !== 'issued') return logFailure(deps, exchanged);
  const found = await oauth.profile(exchanged.tokens.accessToken);
  if (found.kind === 'no_account') return 'no_account';
  if (found.kind !== 'known') return logFailure(deps, found);

  const { tokens } = exchanged;
  const outcome = await database.transaction(async (tx) => {
    // Asking the vendor took seconds. What holds under the lock holds until the connection is stored.
    const members = await lockMembers(tx, accountId);
    const account = await findAccount(tx, accountId);
    if (account === null || account.removed_at !== null) return 'removed';
    if (!members.some(({ id, role }) => id === memberId && role === 'owner')) return 'forbidden';
    const { profile } = found;
    const id = await replaceConnection(deps, tx, { accountId, personId, profile, tokens });
    const detail = { connection_id: id, vendor_account_id: profile.vendorAccountId };
    await auditAccount(world, tx, { accountId, personId, action: 'esign_connected', detail });
    return 'connected';
  });
  if (outcome !== 'removed') return outcome;
  await oauth.revoke(tokens.refreshToken);
  return 'forbidden';
}

/** Logs the reason for the operator, because a setting may be wrong. */
function logFailure(
  { world }: EsignDeps,
  { kind, reason }: { kind: 'refused' | 'unavailable'; reason: string },
): ConnectingOutcome {
  world.log.warn('the e-signature vendor could not be connected', { outcome: kind, reason });
  return kind;
}
