import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { endSessions } from '../../identity/end-sessions.ts';
import { countTry, forgetTries } from '../../identity/guess-limit.ts';
import { registerPasskey, registrationOptions } from '../../identity/passkey-ceremony.ts';
import { listPasskeys, type Passkey, passkeysMax, removePasskey } from '../../identity/passkeys.ts';
import { lockPerson, type Person } from '../../identity/people.ts';
import { replaceRecoveryCodes } from '../../identity/recovery-codes.ts';
import { beginTotp, confirmTotp, removeTotp } from '../../identity/second-factor.ts';
import type { Session } from '../../identity/sessions.ts';
import { endSignInLinks } from '../../identity/sign-in-link.ts';
import { otpauthUri } from '../../identity/totp.ts';
import { isUuid } from '../../platform/ids.ts';
import { qrPath } from '../../platform/qr-path.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forSignedIn, type SignedInCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { siteOf } from '../sign-in/sign-in-endpoints.ts';

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
 * factor lets owners in without it, and nobody may gain one by what is kept out: a password or the mailbox.
 */
function assertMayEnrol({ closed }: SignedInCall['caller']): void {
  if (closed.some(({ role }) => role === 'owner')) throw new ConsoleError('factor_locked');
}

/** Returns the secret as text, as an address and as a QR code: an SVG path of `size` by `size` modules. */
async function enrol({ world, db, secretBox }: ConsoleDeps, { caller }: SignedInCall) {
  assertMayEnrol(caller);
  const { person } = caller;
  if (person.totp_confirmed_at !== null) throw new ConsoleError('totp_is_on');
  const secret = await beginTotp(world, db, secretBox, person.id);
  const uri = otpauthUri(secret, person.email);
  return { secret, otpauth_uri: uri, qr: qrPath(uri) };
}

async function confirm({ world, db, secretBox }: ConsoleDeps, { caller, body }: SignedInCall<{ code: string }>) {
  assertMayEnrol(caller);
  const { person, session } = caller;
  if (person.totp_confirmed_at !== null) throw new ConsoleError('totp_is_on');
  if (person.totp_secret === null) throw new ConsoleError('totp_is_off');
  await countTry(world, db, 'second_factor', person.id);
  const recoveryCodes = await db.transaction(async (tx) => {
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

async function remove({ world, db }: ConsoleDeps, { caller: { person, session } }: SignedInCall) {
  if (person.totp_secret === null) throw new ConsoleError('totp_is_off');
  await db.transaction(async (tx) => {
    await removeTotp(tx, person.id);
    await endOthers(tx, person, session);
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'totp_removed', detail: {} });
  });
}

async function renewRecoveryCodes({ world, db }: ConsoleDeps, { caller: { person, session } }: SignedInCall) {
  if (person.totp_confirmed_at === null) throw new ConsoleError('totp_is_off');
  return db.transaction(async (tx) => {
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
  await assertRoom({ db }, person.id);
  return { options: await registrationOptions(world, db, site, person) };
}

async function addPasskey(
  { world, db }: ConsoleDeps,
  { caller, pageOrigin, body }: SignedInCall<{ name: string; response: object }>,
) {
  assertMayEnrol(caller);
  const { person, session } = caller;
  const site = siteOf(pageOrigin);
  await assertRoom({ db }, person.id);
  const passkey = await registerPasskey(world, db, site, person, body.name.trim(), body.response);
  if (passkey === null) throw new ConsoleError('wrong_passkey');
  const detail = { passkey_id: passkey.id };
  await db.transaction(async (tx) => {
    await endOthers(tx, person, session);
    await auditAccount(world, tx, { accountId: null, personId: person.id, action: 'passkey_registered', detail });
  });
  return passkeyJson(passkey);
}

/** Ends the person's other sessions and unused one-time links, so that all sign-ins use the new factors. */
async function endOthers(tx: Tx, person: Person, session: Session): Promise<void> {
  // A concurrent sign-in that holds the lock opens its session first. That session ends here too.
  await lockPerson(tx, person.id);
  await endSignInLinks(tx, person.id);
  await endSessions(tx, person.id, session.id);
}

async function assertRoom({ db }: Pick<ConsoleDeps, 'db'>, personId: string): Promise<void> {
  const passkeys = await listPasskeys(db, personId);
  if (passkeys.length >= passkeysMax) throw new ConsoleError('too_many_passkeys');
}

async function forgetPasskey(
  { world, db }: ConsoleDeps,
  { caller: { person, session }, params: { id = '' } }: SignedInCall,
) {
  return db.transaction(async (tx) => {
    const removed = isUuid(id) ? await removePasskey(tx, person.id, id) : null;
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
