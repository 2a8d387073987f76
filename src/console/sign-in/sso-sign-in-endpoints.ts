import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { countTry, takeBackTry } from '../../identity/guess-limit.ts';
import { readSsoCookie, ssoCookie } from '../../identity/session-cookie.ts';
import { drawToken } from '../../identity/token.ts';
import { emailLengthMax, isPlausibleEmail } from '../../platform/email-address.ts';
import { isUuid } from '../../platform/ids.ts';
import { authorizationMinutes, type SsoAuthorization } from '../../sso/authorization.ts';
import { findSsoById, type SsoConnection } from '../../sso/connection.ts';
import { findLinkOfDomain, readDomain } from '../../sso/domains.ts';
import { exchangeCode, type ProvenClaims } from '../../sso/exchange-code.ts';
import { callbackPath } from '../../sso/json.ts';
import { ProviderError } from '../../sso/provider.ts';
import { settleMember } from '../../sso/settle-member.ts';
import { issuerWithoutAge, startSignIn } from '../../sso/start-sign-in.ts';
import { type SsoFailure, takeSignIn } from '../../sso/take-sign-in.ts';
import { type ConsoleCall, type ConsoleDeps, forAnyone } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { nextOf } from '../core/next-path.ts';
import { completeSignIn } from './complete-sign-in.ts';

const text = Type.String({ maxLength: 2000 });
const startBody = Type.Object({
  /** Of the company's sign-in link. */
  id: text,
  email: Type.Optional(Type.String({ maxLength: emailLengthMax * 2 })),
  next: Type.Optional(Type.String({ maxLength: 16_000 })),
  /** The provider asks who it is even of a person who is signed in there. */
  again: Type.Optional(Type.Boolean()),
});
/** The company and the query of the page to which the provider returned the browser. */
const completeBody = Type.Object({ account: text, query: Type.String({ maxLength: 16_000 }) });

/** Sign-in with a company's OpenID Connect provider. */
export const ssoSignInEndpoints = [
  forAnyone('POST /sign-in/sso/domain', { body: Type.Object({ domain: text }) }, findByDomain),
  forAnyone('POST /sign-in/sso/start', { body: startBody }, start),
  forAnyone('POST /sign-in/sso/complete', { body: completeBody }, complete),
];

/** Answers by the domain alone: an address may or may not have an account. */
async function findByDomain({ world, db }: ConsoleDeps, { body, from }: ConsoleCall<{ domain: string }>) {
  await countTry(world, db, 'sso_domain_from_ip', from.ip);
  const domain = readDomain(body.domain);
  return { id: domain === null ? null : await findLinkOfDomain(db, domain) };
}

interface Start {
  id: string;
  email?: string;
  next?: string;
  again?: boolean;
}

async function start({ world, db, sso, origin }: ConsoleDeps, call: ConsoleCall<Start>) {
  const { id, email = '', next, again = false } = call.body;
  await countTry(world, db, 'sso_from_ip', call.from.ip);
  const connection = isUuid(id) ? await findSsoById(db, id) : null;
  if (connection === null) throw new ConsoleError('not_found');
  // Sign-ins of several tabs share the cookie.
  const browserToken = readSsoCookie(call.cookies, origin()) ?? drawToken(world.random);
  try {
    const redirectTo = await startSignIn(sso, connection, {
      browserToken,
      origin: call.pageOrigin,
      returnTo: nextOf(next),
      loginHint: isPlausibleEmail(email) ? email : '',
      asksAgain: again,
    });
    call.setCookie(ssoCookie(browserToken, origin(), authorizationMinutes * 60));
    return { redirect_to: redirectTo };
  } catch (error) {
    return failed({ world, db }, call, connection, error);
  }
}

/** Throws `sso_failed` with the reason as its value. */
async function complete(deps: ConsoleDeps, call: ConsoleCall<{ account: string; query: string }>) {
  const { world, db, sso, origin } = deps;
  await countTry(world, db, 'sso_from_ip', call.from.ip);
  const { account, query } = call.body;
  const callback = new URL(callbackPath(account), call.pageOrigin);
  callback.search = query;
  const taken = await takeSignIn(sso, account, callback, readSsoCookie(call.cookies, origin()));
  if (taken === null) throw new ConsoleError('sso_failed', { value: 'not_asked_for' satisfies SsoFailure });
  const { connection, authorization } = taken;
  if (connection === null) throw new ConsoleError('sso_failed', { value: 'changed' satisfies SsoFailure });
  try {
    const claims = await exchangeCode(sso, connection, authorization, callback);
    const signedIn = await signIn(deps, call, connection, claims, secondsSinceProof(claims, authorization));
    // That of the start, and this one: many people may share an address.
    for (const guess of ['sso_from_ip', 'sso_from_ip'] as const) await takeBackTry(db, guess, call.from.ip);
    return { ...signedIn, to: authorization.returnTo };
  } catch (error) {
    return failed(deps, call, connection, error);
  }
}

class Refused extends Error {
  readonly reason: SsoFailure;

  constructor(reason: SsoFailure) {
    super(reason);
    this.reason = reason;
  }
}

/** A provider that doesn't say when it asked may have let an open session of its own answer, which is no fresh proof. */
function secondsSinceProof({ issuer, ageSeconds }: ProvenClaims, { asksAgain }: SsoAuthorization): number {
  return ageSeconds ?? (asksAgain && issuer === issuerWithoutAge ? 0 : unknownAgeSeconds);
}

/** Longer than any sign-in counts as fresh. */
const unknownAgeSeconds = 3600;

function signIn(
  deps: ConsoleDeps,
  call: ConsoleCall,
  connection: SsoConnection,
  claims: ProvenClaims,
  confirmedSecondsAgo: number,
) {
  return deps.db.transaction(async (tx) => {
    const settled = await settleMember(deps.world, tx, connection, claims);
    // Thrown, so that nothing of it is stored.
    if ('refusal' in settled) throw new Refused(settled.refusal);
    return completeSignIn(deps, tx, call, settled.person, {
      method: 'sso',
      secondFactor: 'sso',
      accountId: connection.account_id,
      confirmedSecondsAgo,
      detail: { issuer: claims.issuer, methods: claims.methods },
    });
  });
}

/** Logs and audits why, without tokens. */
async function failed(
  { world, db }: Pick<ConsoleDeps, 'world' | 'db'>,
  { from }: ConsoleCall,
  { account_id: accountId }: SsoConnection,
  error: unknown,
): Promise<never> {
  const reason = error instanceof ProviderError ? error.problem : error instanceof Refused ? error.reason : null;
  if (reason === null) throw error;
  world.log.warn('a sign-in with single sign-on failed', {
    account_id: accountId,
    reason,
    cause: (error as Error).message,
    ip: from.ip,
  });
  const detail = { method: 'sso', reason, ip: from.ip };
  await auditAccount(world, db, { accountId, personId: null, action: 'sign_in_failed', detail });
  throw new ConsoleError('sso_failed', { value: reason });
}
