import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { listMemberships } from '../../accounts/members.ts';
import { endSessionOf } from '../../identity/end-sessions.ts';
import { countTry, forgetTries, takeBackTry } from '../../identity/guess-limit.ts';
import { passkeyHost, signInOptions, verifyPasskey } from '../../identity/passkey-ceremony.ts';
import { findPasskey } from '../../identity/passkeys.ts';
import { matchesPassword } from '../../identity/password.ts';
import { ensurePerson, findPerson, findPersonByEmail, lockPerson } from '../../identity/people.ts';
import { useSecondFactor } from '../../identity/second-factor.ts';
import { expiredSessionCookie, readSessionCookie } from '../../identity/session-cookie.ts';
import { findSession } from '../../identity/sessions.ts';
import { mintSignInLink, signInUrl, useSignInLink } from '../../identity/sign-in-link.ts';
import { signInMail } from '../../identity/sign-in-mail.ts';
import { emailLengthMax, isPlausibleEmail } from '../../platform/email-address.ts';
import type { Language } from '../../platform/language.ts';
import { type ConsoleCall, type ConsoleDeps, forAnyone, forSignedIn } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { nextOf } from '../core/next-path.ts';
import { completeSignIn } from './complete-sign-in.ts';

const email = Type.String({ minLength: 1, maxLength: emailLengthMax * 2 });
const code = Type.String({ minLength: 1, maxLength: 100 });

export const signInEndpoints = [
  forAnyone('POST /sign-in', { body: Type.Object({ email, password: Type.String({ maxLength: 1000 }) }) }, byPassword),
  forAnyone('POST /sign-in/link', { body: Type.Object({ email, next: Type.Optional(Type.String()) }) }, sendLink),
  forAnyone('POST /sign-in/use-link', { body: Type.Object({ token: Type.String({ maxLength: 100 }) }) }, byLink),
  forAnyone('POST /sign-in/second-factor', { body: Type.Object({ code }) }, bySecondFactor),
  forAnyone('POST /sign-in/passkey/options', {}, passkeyOptions),
  forAnyone('POST /sign-in/passkey', { body: Type.Object({ response: Type.Object({}) }) }, byPasskey),
  forSignedIn('POST /sign-out', {}, async ({ db, origin }, call) => {
    const token = readSessionCookie(call.cookies, 'open', origin());
    if (token !== null) await endSessionOf(db, token);
    call.setCookie(expiredSessionCookie('open', origin()));
    call.clearSiteData();
  }),
];

/** Signs in with a password. An unknown address, a missing password and a wrong password get the same answer, in equal time. */
async function byPassword(deps: ConsoleDeps, call: ConsoleCall<{ email: string; password: string }>) {
  const { world, db } = deps;
  const { email, password } = call.body;
  await countTry(world, db, 'password_from_ip', call.from.ip);
  await countTry(world, db, 'password_of_email', email);
  const person = await findPersonByEmail(db, email);
  const isRight = await matchesPassword(person?.password_hash ?? null, password);
  if (person === null || !isRight) {
    const detail = { method: 'password', ip: call.from.ip };
    await auditAccount(world, db, { accountId: null, personId: person?.id ?? null, action: 'sign_in_failed', detail });
    throw new ConsoleError('wrong_credentials');
  }
  await Promise.all([takeBackTry(db, 'password_from_ip', call.from.ip), forgetTries(db, 'password_of_email', email)]);
  return db.transaction(async (tx) => {
    const current = await lockPerson(tx, person.id);
    // The password was compared before the lock. It must not have changed since.
    if (current === null || current.password_hash !== person.password_hash) throw new ConsoleError('wrong_credentials');
    return completeSignIn(deps, tx, call, current, { method: 'password', secondFactor: null });
  });
}

/**
 * Sends a sign-in link that leads to the page `next`, if it is allowed. Answers before looking up the address, so that the answer
 * reveals nothing.
 */
async function sendLink(deps: ConsoleDeps, call: ConsoleCall<{ email: string; next?: string }>) {
  const { world, db } = deps;
  const { email, next } = call.body;
  if (!isPlausibleEmail(email)) throw new ConsoleError('invalid_input', { param: 'email' });
  await countTry(world, db, 'link_from_ip', call.from.ip);
  await countTry(world, db, 'link_to_email', email);
  deps.afterwards(mailLink(deps, call.language, email, nextOf(next)));
  return { sent: true };
}

/** Sends a link to members only, so that nobody can use this service to send mail to strangers. */
async function mailLink({ world, db, mail, origin }: ConsoleDeps, language: Language, email: string, next: string) {
  const memberships = await listMemberships(db, email);
  if (memberships.length === 0) return;
  const person = await ensurePerson(world, db, email);
  const link = signInUrl(origin(), await mintSignInLink(world, db, person.id, 'email'));
  const to = next === '/' ? '' : `?to=${encodeURIComponent(next)}`;
  const message = signInMail(language, { kind: 'email' }, `${link}${to}`);
  const outcome = await mail.send({ id: world.newId(), to: { name: '', address: person.email }, ...message });
  if (outcome.kind !== 'accepted') world.log.warn('a sign-in link could not be sent', { outcome: outcome.kind });
}

/** Signs in with a link. Attempts are not limited, because 256 random bits cannot be guessed. */
async function byLink(deps: ConsoleDeps, call: ConsoleCall<{ token: string }>) {
  return deps.db.transaction(async (tx) => {
    const used = await useSignInLink(deps.world, tx, call.body.token, call.mayUseDemoLink);
    const person = used === null ? null : await findPerson(tx, used.personId);
    if (used === null || person === null) throw new ConsoleError('link_spent');
    return completeSignIn(deps, tx, call, person, { method: 'link', secondFactor: null, accountId: used.accountId });
  });
}

/** Signs in with a code. The attempt is counted and committed before the code is compared. */
async function bySecondFactor(deps: ConsoleDeps, call: ConsoleCall<{ code: string }>) {
  const { world, db, secretBox, origin } = deps;
  const token = readSessionCookie(call.cookies, 'second_factor', origin());
  const half = token === null ? null : await findSession(world, db, token, 'second_factor');
  const person = half === null ? null : await findPerson(db, half.person_id);
  if (half === null || person === null) throw new ConsoleError('not_signed_in');
  await countTry(world, db, 'second_factor', person.id);
  const signedIn = await db.transaction(async (tx) => {
    const current = await lockPerson(tx, person.id);
    // A password change ends half signed-in sessions that used the old password.
    const isHalf = current !== null && (await findSession(world, tx, token as string, 'second_factor')) !== null;
    if (!isHalf) throw new ConsoleError('not_signed_in');
    const secondFactor = await useSecondFactor(world, tx, secretBox, current, call.body.code);
    if (secondFactor === null) return null;
    await forgetTries(tx, 'second_factor', person.id);
    return completeSignIn(deps, tx, call, current, { method: half.method, secondFactor, accountId: half.account_id });
  });
  if (signedIn !== null) return signedIn;
  const detail = { method: 'second_factor', ip: call.from.ip };
  await auditAccount(world, db, { accountId: null, personId: person.id, action: 'sign_in_failed', detail });
  throw new ConsoleError('wrong_code');
}

async function passkeyOptions(deps: ConsoleDeps, call: ConsoleCall) {
  const site = siteOf(call.pageOrigin);
  await countTry(deps.world, deps.db, 'passkey_from_ip', call.from.ip);
  return { options: await signInOptions(deps.world, deps.db, site) };
}

async function byPasskey(deps: ConsoleDeps, call: ConsoleCall<{ response: object }>) {
  const { world, db } = deps;
  const site = siteOf(call.pageOrigin);
  await countTry(world, db, 'passkey_from_ip', call.from.ip);
  const passkey = await verifyPasskey(world, db, site, call.body.response);
  if (passkey === null) throw new ConsoleError('wrong_passkey');
  return db.transaction(async (tx) => {
    const person = await lockPerson(tx, passkey.person_id);
    // The passkey was verified before the lock. It must not have been removed since.
    const isThere = (await findPasskey(tx, passkey.credential_id))?.id === passkey.id;
    if (person === null || !isThere) throw new ConsoleError('wrong_passkey');
    return completeSignIn(deps, tx, call, person, { method: 'passkey', secondFactor: 'passkey' });
  });
}

/** Returns the host for passkeys. Throws `passkeys_unavailable`. */
export function siteOf(origin: string): { origin: string; host: string } {
  const host = passkeyHost(origin);
  if (host === null) throw new ConsoleError('passkeys_unavailable');
  return { origin, host };
}
