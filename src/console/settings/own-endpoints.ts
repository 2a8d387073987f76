import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { endSession, endSessions, endSsoSessions } from '../../identity/end-sessions.ts';
import { countTry, forgetTries } from '../../identity/guess-limit.ts';
import { passkeyHost } from '../../identity/passkey-ceremony.ts';
import { listPasskeys } from '../../identity/passkeys.ts';
import { hashPassword, matchesPassword } from '../../identity/password.ts';
import { findPasswordFault, type PasswordFault } from '../../identity/password-fault.ts';
import { setPasswordHash } from '../../identity/people.ts';
import { countRecoveryCodes } from '../../identity/recovery-codes.ts';
import { sessionJson } from '../../identity/session-json.ts';
import { listSessions, type Session, workIn } from '../../identity/sessions.ts';
import { endSignInLinks } from '../../identity/sign-in-link.ts';
import { readStanding } from '../../operators/operators.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { findSso } from '../../sso/connection.ts';
import { isFresh } from '../core/authorise.ts';
import { type ClosedCompany, listClosedCompanies } from '../core/closed-companies.ts';
import {
  type Caller,
  type ConsoleCall,
  type ConsoleDeps,
  forAnyone,
  forSignedIn,
  type SignedInCall,
} from '../core/console-endpoint.ts';
import { ConsoleError, type ConsoleErrorCode } from '../core/console-error.ts';
import { lockOwnSignIn } from '../core/still-may.ts';

const password = Type.String({ minLength: 1, maxLength: 1000 });

/** The caller's own profile, sessions and password. */
export const ownEndpoints = [
  forAnyone('GET /session', {}, showSession),
  forSignedIn('GET /me', { isForAnyCompany: false }, showMe),
  forSignedIn('POST /account', { body: Type.Object({ account_id: Type.String() }) }, chooseAccount),
  forSignedIn('GET /sessions', {}, async ({ world, db }, { caller }) => {
    const sessions = await listSessions(world, db, caller.person.id, caller.session.only_account_id);
    return { data: sessions.map((session) => ownSessionJson(session, caller)) };
  }),
  forSignedIn('DELETE /sessions/:id', {}, revokeSession),
  forSignedIn('POST /sessions/revoke-others', {}, revokeOthers),
  forSignedIn(
    'POST /password',
    { body: Type.Object({ current: Type.Optional(password), password }), needsOwnSignIn: true },
    setPassword,
  ),
];

/** Answers who is signed in, since when, and whether sensitive changes need no new proof, or that nobody is. Never fails. */
async function showSession({ world }: ConsoleDeps, { caller }: ConsoleCall) {
  if (caller === null) return { signed_in: false };
  const { session } = caller;
  return {
    signed_in: true,
    signed_in_at: session.signed_in_at,
    is_fresh: isFresh(world, session),
    ...callerJson(caller),
  };
}

async function showMe({ db }: ConsoleDeps, { caller, pageOrigin }: SignedInCall) {
  const isOperator = (await readStanding(db, caller.session)) !== 'none';
  const closed = (await listClosedCompanies(db, caller)).map(closedJson);
  const own = {
    ...callerJson(caller),
    accounts: accountsJson(caller),
    closed_accounts: closed,
    is_operator: isOperator,
  };
  return { ...own, ...(await readProofs(db, caller, passkeyHost(pageOrigin) !== null)) };
}

/** What the person can prove who they are with. `sso`: the company's single sign-on, if it opened the session. */
interface ProofsView {
  has_password: boolean;
  totp: { confirmed_at: Timestamp | null; recovery_codes_left: number };
  passkeys: { count: number; are_available: boolean };
  sso: { id: string | null } | null;
}

/** The company's provider learns nothing of the proofs that the person has of their own. */
async function readProofs(db: Queryable, { session, person }: Caller, hasPasskeys: boolean): Promise<ProofsView> {
  if (session.only_account_id !== null) {
    return {
      has_password: false,
      totp: { confirmed_at: null, recovery_codes_left: 0 },
      passkeys: { count: 0, are_available: false },
      sso: { id: (await findSso(db, session.only_account_id))?.id ?? null },
    };
  }
  const [recoveryCodes, passkeys] = await Promise.all([countRecoveryCodes(db, person.id), listPasskeys(db, person.id)]);
  return {
    has_password: person.password_hash !== null,
    totp: { confirmed_at: person.totp_confirmed_at, recovery_codes_left: recoveryCodes },
    passkeys: { count: passkeys.length, are_available: hasPasskeys },
    sso: null,
  };
}

function accountsJson({ memberships }: Caller) {
  return memberships.map(({ account_id, account_name, role }) => ({
    id: account_id,
    display_name: account_name,
    role,
  }));
}

/** Of a company that opens with single sign-on only. */
function closedJson({ account_id, account_name, sso_id }: ClosedCompany) {
  return { id: account_id, display_name: account_name, sso_id };
}

function callerJson({ person, membership }: Caller) {
  return {
    person: { id: person.id, email: person.email },
    account: membership && { id: membership.account_id, display_name: membership.account_name },
    role: membership?.role ?? null,
  };
}

async function chooseAccount({ world, db }: ConsoleDeps, { caller, body }: SignedInCall<{ account_id: string }>) {
  const chosen = caller.memberships.find(({ account_id }) => account_id === body.account_id);
  if (chosen === undefined) throw new ConsoleError('not_found');
  const { account_id: accountId } = chosen;
  await db.transaction(async (tx) => {
    await workIn(tx, caller.session.id, accountId);
    await auditAccount(world, tx, {
      accountId,
      personId: caller.person.id,
      action: 'company_opened',
      detail: { method: caller.session.method },
    });
  });
  return callerJson({ ...caller, membership: chosen });
}

function ownSessionJson(session: Session, caller: Caller) {
  const is_current = session.id === caller.session.id;
  return { ...sessionJson(session), is_current, user_agent: session.user_agent };
}

async function revokeSession({ world, db }: ConsoleDeps, { caller, params: { id = '' } }: SignedInCall) {
  await db.transaction(async (tx) => {
    const personId = caller.person.id;
    const isEnded = isUuid(id) && (await endSession(tx, personId, id, caller.session.only_account_id));
    if (!isEnded) throw new ConsoleError('not_found');
    const accountId = caller.session.only_account_id;
    await auditAccount(world, tx, { accountId, personId, action: 'session_ended', detail: { session_id: id } });
  });
}

async function revokeOthers({ world, db }: ConsoleDeps, { caller }: SignedInCall) {
  const personId = caller.person.id;
  return db.transaction(async (tx) => {
    const { id, only_account_id: onlyAccountId } = caller.session;
    const ended =
      onlyAccountId === null
        ? await endSessions(tx, personId, id)
        : await endSsoSessions(tx, personId, onlyAccountId, id);
    // What a session of single sign-on does belongs to its company, and not to the others of the person.
    await auditAccount(world, tx, { accountId: onlyAccountId, personId, action: 'sessions_ended', detail: { ended } });
    return { ended };
  });
}

const passwordErrors: Record<PasswordFault, ConsoleErrorCode> = {
  length: 'unsafe_password',
  common: 'common_password',
  personal: 'personal_password',
};

/**
 * Sets the password. Requires the current password, or a recent sign-in if there is none yet. Ends all other sessions and
 * one-time links of the person.
 */
async function setPassword({ world, db }: ConsoleDeps, call: SignedInCall<{ current?: string; password: string }>) {
  const { caller, body } = call;
  const { person, session } = caller;
  if (person.password_hash === null) {
    if (!isFresh(world, session)) throw new ConsoleError('sign_in_again');
  } else {
    await countTry(world, db, 'password_change', person.id);
    if (!(await matchesPassword(person.password_hash, body.current ?? ''))) throw new ConsoleError('wrong_password');
    await forgetTries(db, 'password_change', person.id);
  }
  const companyNames = caller.memberships.map(({ account_name }) => account_name);
  const fault = await findPasswordFault(body.password, { email: person.email, companyNames });
  if (fault !== null) throw new ConsoleError(passwordErrors[fault], { param: 'password' });
  const hash = await hashPassword(world.random, body.password);
  await db.transaction(async (tx) => {
    const current = await lockOwnSignIn(tx, call);
    // The password was compared before the lock. Of two concurrent changes, the second one used an old password.
    if (current.password_hash !== person.password_hash) throw new ConsoleError('wrong_password');
    await setPasswordHash(tx, person.id, hash);
    await endSignInLinks(tx, person.id);
    const ended = await endSessions(tx, person.id, session.id);
    const detail = { sessions_ended: ended };
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'password_set', detail });
  });
}
