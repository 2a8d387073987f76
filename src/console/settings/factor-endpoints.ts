import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { endSessions } from '../../identity/end-sessions.ts';
import { countTry, forgetTries } from '../../identity/guess-limit.ts';
import { registerPasskey, registrationOptions } from '../../identity/passkey-ceremony.ts';
import { listPasskeys, type Passkey, passkeysMax, removePasskey } from '../../identity/passkeys.ts';
import type { Person } from '../../identity/people.ts';
import { replaceRecoveryCodes } from '../../identity/recovery-codes.ts';
import { beginTotp, confirmTotp, removeTotp } from '../../identity/second-factor.ts';
import type { Session } from '../../identity/sessions.ts';
import { endSignInLinks } from '../../identity/sign-in-link.ts';
import { otpauthUri } from '../../identity/totp.ts';
import { isUuid } from '../../platform/ids.ts';
import { qrPath } from '../../platform/qr-path.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { lockRequiringCompanies } from '../../sso/way-in.ts';
import { type ConsoleDeps, forSignedIn, type SignedInCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { lockOwnSignIn } from '../core/still-may.ts';
import { siteOf } from '../sign-in/sign-in-endpoints.ts';
import { keepWayIn } from './keep-way-in.ts';

const code = Type.String({ minLength: 1, maxLength: 100 });
const needsFreshSignIn = true;
const needsOwnSignIn = true;

/** The caller's own authenticator and passkeys. */
export const factorEndpoints = [
  forSignedIn('POST /totp', { needsFreshSignIn, needsOwnSignIn }, enrol),
  forSignedIn('POST /totp/confirm', { needsFreshSignIn, needsOwnSignIn, body: Type.Object({ code }) }, confirm),
  forSignedIn('DELETE /totp', { needsFreshSignIn, needsOwnSignIn }, remove),
  forSignedIn('POST /recovery-codes', { needsFreshSignIn, needsOwnSignIn }, renewRecoveryCodes),
  forSignedIn('GET /passkeys', { needsOwnSignIn }, async ({ db }, { caller }) => {
    return { data: (await listPasskeys(db, caller.person.id)).map(passkeyJson) };
  }),
  forSignedIn('POST /passkeys/options', { needsFreshSignIn, needsOwnSignIn }, passkeyOptions),
  forSignedIn(
    'POST /passkeys',
    {
      needsFreshSignIn,
      needsOwnSignIn,
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
        response: Type.Object({}),
      }),
    },
    addPasskey,
  ),
  forSignedIn('DELETE /passkeys/:id', { needsFreshSignIn, needsOwnSignIn }, forgetPasskey),
];

/**
 * Throws `factor_locked` for an owner whose company this session doesn't open, because it opens with single sign-on only. A
 * factor lets owners in without it, and nobody may gain one by what is kept out: a password or the mailbox. Nor may others whom
 * this session opens no company at all: they may become owners later.
 */
function assertMayEnrol({ closed, memberships }: SignedInCall['caller']): void {
  const isKeptOut = closed.length > 0 && memberships.length === 0;
  if (isKeptOut || closed.some(({ role }) => role === 'owner')) throw new ConsoleError('factor_locked');
}

/** Returns the secret as text, as an address and as a QR code: an SVG path of `size` by `size` modules. */
async function enrol({ world, db, secretBox }: ConsoleDeps, call: SignedInCall) {
  assertMayEnrol(call.caller);
  const { person } = call.caller;
  if (person.totp_confirmed_at !== null) throw new ConsoleError('totp_is_on');
  const secret = await db.transaction(async (tx) => {
    await lockOwnSignIn(tx, call);
    return beginTotp(world, tx, secretBox, person.id);
  });
  const uri = otpauthUri(secret, person.email);
  return { secret, otpauth_uri: uri, qr: qrPath(uri) };
}

async function confirm({ world, db, secretBox }: ConsoleDeps, call: SignedInCall<{ code: string }>) {
  const { caller, body } = call;
  assertMayEnrol(caller);
  const { person, session } = caller;
  if (person.totp_confirmed_at !== null) throw new ConsoleError('totp_is_on');
  if (person.totp_secret === null) throw new ConsoleError('totp_is_off');
  await countTry(world, db, 'second_factor', person.id);
  const recoveryCodes = await db.transaction(async (tx) => {
    await lockOwnSignIn(tx, call);
    const codes = await confirmTotp(world, tx, secretBox, person.id, body.code);
    if (codes === null) return null;
    await forgetTries(tx, 'second_factor', person.id);
    await endOthers(tx, person, session);
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'totp_confirmed', detail: {} });
    return codes;
  });
  if (recoveryCodes === null) throw new ConsoleError('wrong_code');
  return { recovery_codes: recoveryCodes };
}

async function remove({ world, db }: ConsoleDeps, call: SignedInCall) {
  const { person, session } = call.caller;
  if (person.totp_confirmed_at === null) throw new ConsoleError('totp_is_off');
  await db.transaction(async (tx) => {
    await removeFactor(tx, call, () => removeTotp(tx, person.id));
    await endOthers(tx, person, session);
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'totp_removed', detail: {} });
  });
}

async function renewRecoveryCodes({ world, db }: ConsoleDeps, call: SignedInCall) {
  const { person, session } = call.caller;
  if (person.totp_confirmed_at === null) throw new ConsoleError('totp_is_off');
  return db.transaction(async (tx) => {
    await lockOwnSignIn(tx, call);
    const codes = await replaceRecoveryCodes(world, tx, person.id);
    await endOthers(tx, person, session);
    const entry = { accountId: null, personId: person.id, detail: {} };
    await auditAccount(world, tx, { ...entry, action: 'recovery_codes_replaced' });
    return { recovery_codes: codes };
  });
}

async function passkeyOptions({ world, db }: ConsoleDeps, { caller, pageOrigin }: SignedInCall) {
  assertMayEnrol(caller);
  const { person } = caller;
  const site = siteOf(pageOrigin);
  await assertRoom(db, person.id);
  return { options: await registrationOptions(world, db, site, person) };
}

async function addPasskey({ world, db }: ConsoleDeps, call: SignedInCall<{ name: string; response: object }>) {
  const { caller, pageOrigin, body } = call;
  assertMayEnrol(caller);
  const { person, session } = caller;
  const site = siteOf(pageOrigin);
  const passkey = await db.transaction(async (tx) => {
    await lockOwnSignIn(tx, call);
    await assertRoom(tx, person.id);
    const registered = await registerPasskey(world, tx, site, person, body.name.trim(), body.response);
    // A challenge stays used up.
    if (registered === null) return null;
    await endOthers(tx, person, session);
    const detail = { passkey_id: registered.id };
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'passkey_registered', detail });
    return registered;
  });
  if (passkey === null) throw new ConsoleError('wrong_passkey');
  return passkeyJson(passkey);
}

/**
 * Ends the person's other sessions and unused one-time links, so that all sign-ins use the new factors. Lock the person first:
 * the session of a concurrent sign-in that holds the lock ends too.
 */
async function endOthers(tx: Tx, person: Person, session: Session): Promise<void> {
  await endSignInLinks(tx, person.id);
  await endSessions(tx, person.id, session.id);
}

/** Locks what removing a factor may affect, and removes it. Throws `owner_factor_needed`. */
async function removeFactor<Result>(tx: Tx, call: SignedInCall, act: () => Promise<Result>): Promise<Result> {
  const companies = await lockRequiringCompanies(tx, call.caller.person.email);
  await lockOwnSignIn(tx, call);
  return keepWayIn(tx, companies, act);
}

async function assertRoom(db: Queryable, personId: string): Promise<void> {
  const passkeys = await listPasskeys(db, personId);
  if (passkeys.length >= passkeysMax) throw new ConsoleError('too_many_passkeys');
}

async function forgetPasskey({ world, db }: ConsoleDeps, call: SignedInCall) {
  const { id = '' } = call.params;
  const { person, session } = call.caller;
  return db.transaction(async (tx) => {
    const removed = isUuid(id) ? await removeFactor(tx, call, () => removePasskey(tx, person.id, id)) : null;
    if (removed === null) throw new ConsoleError('not_found');
    await endOthers(tx, person, session);
    const detail = { passkey_id: id };
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'passkey_removed', detail });
    return passkeyJson(removed);
  });
}

function passkeyJson({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, created_at, last_used_at };
}
