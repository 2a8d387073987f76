import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { countTry, forgetTries } from '../../identity/guess-limit.ts';
import { signInOptions, verifyPasskey } from '../../identity/passkey-ceremony.ts';
import { matchesPassword } from '../../identity/password.ts';
import { useSecondFactor } from '../../identity/second-factor.ts';
import { confirmSession } from '../../identity/sessions.ts';
import { type ConsoleDeps, forSignedIn, type SignedInCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { siteOf } from './sign-in-endpoints.ts';

const needsOwnSignIn = true;

/**
 * Confirms who is signed in before a sensitive change: with the password, a code of the authenticator, or a passkey.
 * People who have none of these sign in again, as do those who came with single sign-on: its provider must not guess at these.
 */
export const confirmEndpoints = [
  forSignedIn(
    'POST /confirm/password',
    { body: Type.Object({ password: Type.String({ maxLength: 1000 }) }), needsOwnSignIn },
    byPassword,
  ),
  forSignedIn(
    'POST /confirm/code',
    { body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) }), needsOwnSignIn },
    byCode,
  ),
  forSignedIn('POST /confirm/passkey/options', { needsOwnSignIn }, async ({ world, db }, { pageOrigin }) => {
    return { options: await signInOptions(world, db, siteOf(pageOrigin)) };
  }),
  forSignedIn('POST /confirm/passkey', { body: Type.Object({ response: Type.Object({}) }), needsOwnSignIn }, byPasskey),
];

async function byPassword(deps: ConsoleDeps, call: SignedInCall<{ password: string }>) {
  const { world, db } = deps;
  const { person } = call.caller;
  await countTry(world, db, 'password_change', person.id);
  const isRight = await matchesPassword(person.password_hash, call.body.password);
  if (!isRight) return refuse(deps, call, 'password', 'wrong_password');
  await forgetTries(db, 'password_change', person.id);
  await confirm(deps, call, 'password');
}

async function byCode(deps: ConsoleDeps, call: SignedInCall<{ code: string }>) {
  const { world, db, secretBox } = deps;
  const { person } = call.caller;
  await countTry(world, db, 'second_factor', person.id);
  const method = await useSecondFactor(world, db, secretBox, person, call.body.code);
  if (method === null) return refuse(deps, call, 'second_factor', 'wrong_code');
  await forgetTries(db, 'second_factor', person.id);
  await confirm(deps, call, method);
}

async function byPasskey(deps: ConsoleDeps, call: SignedInCall<{ response: object }>) {
  const { world, db } = deps;
  await countTry(world, db, 'passkey_from_ip', call.from.ip);
  const passkey = await verifyPasskey(world, db, siteOf(call.pageOrigin), call.body.response);
  if (passkey?.person_id !== call.caller.person.id) return refuse(deps, call, 'passkey', 'wrong_passkey');
  await confirm(deps, call, 'passkey');
}

async function confirm({ world, db }: ConsoleDeps, call: SignedInCall, method: string): Promise<void> {
  const { session, person } = call.caller;
  await db.transaction(async (tx) => {
    await confirmSession(world, tx, session.id);
    const detail = { method, ip: call.from.ip };
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'identity_confirmed', detail });
  });
}

async function refuse(
  { world, db }: ConsoleDeps,
  { caller, from }: SignedInCall,
  method: string,
  code: 'wrong_password' | 'wrong_code' | 'wrong_passkey',
): Promise<never> {
  const detail = { method, ip: from.ip };
  const entry = { accountId: null, personId: caller.person.id, detail };
  await auditAccount(world, db, { ...entry, action: 'sign_in_failed' });
  throw new ConsoleError(code);
}
