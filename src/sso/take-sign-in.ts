import { hashToken, isToken } from '../identity/token.ts';
import { type SsoAuthorization, takeAuthorization } from './authorization.ts';
import { findSso, type SsoConnection } from './connection.ts';
import type { ProviderProblem } from './provider-problem.ts';
import type { MemberRefusal } from './settle-member.ts';
import type { SsoDeps } from './sso-deps.ts';

/** Why a sign-in with single sign-on failed. The page explains each. */
export type SsoFailure =
  /** The callback is forged, used, older than ten minutes, or of another browser. */
  'not_asked_for' | ProviderProblem | MemberRefusal;

export interface TakenSignIn {
  authorization: SsoAuthorization;
  /** Null: the settings were changed or removed since. */
  connection: SsoConnection | null;
}

/**
 * Uses up the sign-in that a callback belongs to. `accountId`: of the path to which the provider returned the browser. Null: this
 * browser did not start it, it was used or is too old, or it was started at another company.
 */
export async function takeSignIn(
  { world, db, secretBox }: SsoDeps,
  accountId: string,
  callback: URL,
  browserToken: string | null,
): Promise<TakenSignIn | null> {
  const states = callback.searchParams.getAll('state');
  const [state = ''] = states;
  if (browserToken === null || states.length !== 1 || !isToken(state)) return null;
  const held = { stateHash: hashToken(state), browserHash: hashToken(browserToken) };
  const authorization = await takeAuthorization(world, db, secretBox, held);
  if (authorization === null || authorization.accountId !== accountId) return null;
  const connection = await findSso(db, authorization.accountId);
  const isSame = connection?.version === authorization.connectionVersion;
  return { authorization, connection: isSame ? connection : null };
}
