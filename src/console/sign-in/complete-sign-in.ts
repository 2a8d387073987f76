import { auditAccount } from '../../accounts/account-audit.ts';
import { listMemberships } from '../../accounts/members.ts';
import { endSessionOf } from '../../identity/end-sessions.ts';
import { recordBrowser } from '../../identity/known-browsers.ts';
import { enqueueNewBrowserNotice } from '../../identity/new-browser-notice.ts';
import { openable } from '../../identity/openable.ts';
import type { Person } from '../../identity/people.ts';
import {
  browserCookie,
  expiredSessionCookie,
  readBrowserCookie,
  readSessionCookie,
  type SignInStage,
  sessionCookie,
} from '../../identity/session-cookie.ts';
import { openSession, type SignInMethod, sessionSecondsMax } from '../../identity/sessions.ts';
import type { Tx } from '../../postgres/database.ts';
import { findSso } from '../../sso/connection.ts';
import type { ConsoleCall, ConsoleDeps } from '../core/console-endpoint.ts';

/** The result of a sign-in step: signed in, or a second factor is needed. */
export type SignInOutcome =
  | { next: 'second_factor' }
  | {
      next: 'signed_in';
      /** Id of the sign-in link of the wanted company, if it opens with single sign-on only. */
      sso_id?: string;
    };

export interface UsedFactors {
  method: SignInMethod;
  /**
   * Null: the first factor only. A passkey counts as both factors, because it asks for a finger or a PIN. So does single sign-on:
   * its company decides what its provider asks for, and the session opens that company only.
   */
  secondFactor: 'totp' | 'recovery_code' | 'passkey' | 'sso' | null;
  /** The company to open. By default, or if this sign-in doesn't open it, the first of their companies opens. */
  accountId?: string | null;
  /** How long ago the person proved who they are. Default: just now. */
  confirmedSecondsAgo?: number;
  /** More for the audit. */
  detail?: Record<string, unknown>;
}

/**
 * Opens a session with a new token and ends the session that the browser had. This prevents session fixation. People with
 * an authenticator stay half signed in until they enter its code.
 */
export async function completeSignIn(
  { world, origin, queue }: ConsoleDeps,
  tx: Tx,
  call: ConsoleCall,
  person: Person,
  { method, secondFactor, accountId: wanted = null, confirmedSecondsAgo = 0, detail }: UsedFactors,
): Promise<SignInOutcome> {
  for (const stage of ['open', 'second_factor'] as const) {
    const held = readSessionCookie(call.cookies, stage, origin());
    if (held !== null) await endSessionOf(tx, held);
  }
  const stage: SignInStage = person.totp_confirmed_at !== null && secondFactor === null ? 'second_factor' : 'open';
  const onlyAccountId = method === 'sso' ? wanted : null;
  const all = await listMemberships(tx, person.email);
  const memberships = openable({ only_account_id: onlyAccountId, method }, person, all);
  const membership = memberships.find(({ account_id }) => account_id === wanted) ?? memberships[0];
  const accountId = membership?.account_id ?? null;
  const held = readBrowserCookie(call.cookies, origin());
  const browser = stage === 'open' ? await recordBrowser(world, tx, person.id, held, method !== 'sso') : null;
  const token = await openSession(world, tx, {
    personId: person.id,
    accountId,
    stage,
    method,
    from: call.from,
    browserHash: browser?.hash ?? null,
    confirmedSecondsAgo,
  });
  call.setCookie(expiredSessionCookie(stage === 'open' ? 'second_factor' : 'open', origin()));
  if (browser !== null) call.setCookie(browserCookie(browser.token, origin()));
  call.setCookie(sessionCookie(stage, token, origin(), sessionSecondsMax[stage]));
  if (browser === null) return { next: 'second_factor' };
  if (browser.isNew) await enqueueNewBrowserNotice(world, tx, queue, person, call.from, call.language);

  await auditAccount(world, tx, {
    accountId,
    personId: person.id,
    action: 'signed_in',
    detail: { method, second_factor: secondFactor, ip: call.from.ip, ...detail },
  });
  const closed = accountId === wanted ? undefined : all.find(({ account_id }) => account_id === wanted);
  const sso = closed === undefined ? null : await findSso(tx, closed.account_id);
  return sso === null ? { next: 'signed_in' } : { next: 'signed_in', sso_id: sso.id };
}
