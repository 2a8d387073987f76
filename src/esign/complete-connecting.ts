import { auditAccount } from '../accounts/account-audit.ts';
import { hashToken, isToken } from '../identity/token.ts';
import { takeAuthorization } from './authorization.ts';
import type { EsignMeans } from './esign-means.ts';
import { replaceConnection } from './replace-connection.ts';

/** Why nothing was connected. The page explains each. */
export type ConnectingFailure =
  /** The address was made up, used, older than ten minutes, or belongs to another browser. */
  | 'not_asked_for'
  /** The owner works in another company by now. */
  | 'other_company'
  /** No owner any more. */
  | 'forbidden'
  /** Consent was not given. */
  | 'declined'
  /** The vendor gave no tokens for the consent. */
  | 'refused'
  | 'unavailable'
  /** The person has no account there, or none whose address may be called. */
  | 'no_account';

export type ConnectingOutcome = 'connected' | ConnectingFailure;

/** Who came back: the session, and what it may do just now. */
export interface Returning {
  sessionId: string;
  personId: string;
  accountId: string | null;
  isOwner: boolean;
}

/** `callback`: the whole address that the vendor sent the owner back to. */
export async function completeConnecting(
  means: EsignMeans,
  callback: URL,
  { sessionId, personId, accountId, isOwner }: Returning,
): Promise<ConnectingOutcome> {
  const { world, database, secretBox, oauth } = means;
  const state = callback.searchParams.get('state') ?? '';
  const asked = isToken(state)
    ? await takeAuthorization(world, database, secretBox, hashToken(state), sessionId)
    : null;
  if (asked === null || oauth === null) return 'not_asked_for';
  if (asked.accountId !== accountId) return 'other_company';
  if (!isOwner) return 'forbidden';
  const error = callback.searchParams.get('error');
  if (error !== null) return error === 'access_denied' ? 'declined' : 'refused';

  const given = await oauth.exchange(callback, { state, codeVerifier: asked.codeVerifier });
  if (given.kind !== 'issued') return failure(means, given);
  const known = await oauth.profile(given.tokens.accessToken);
  if (known.kind === 'no_account') return 'no_account';
  if (known.kind !== 'known') return failure(means, known);

  await database.transaction(async (tx) => {
    const { profile } = known;
    const id = await replaceConnection(means, tx, { accountId, personId, profile, tokens: given.tokens });
    const detail = { connection_id: id, vendor_account_id: profile.vendorAccountId };
    await auditAccount(world, tx, { accountId, personId, action: 'esign_connected', detail });
  });
  return 'connected';
}

/** The operator, too, learns why: it may be a setting. */
function failure(
  { world }: EsignMeans,
  { kind, reason }: { kind: 'refused' | 'unavailable'; reason: string },
): ConnectingOutcome {
  world.log.warn('the e-signature vendor could not be connected', { outcome: kind, reason });
  return kind;
}
