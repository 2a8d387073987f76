import { Type } from 'typebox';
import { countTry } from '../../identity/guess-limit.ts';
import { emailLengthMax } from '../../platform/email-address.ts';
import { checkDomain } from '../../sso/check-domain.ts';
import { findSso, removeSso, type SsoChange } from '../../sso/connection.ts';
import { addDomain, type DomainChange, listDomains, readDomain, removeDomain } from '../../sso/domains.ts';
import { unlink } from '../../sso/identities.ts';
import { ssoJson } from '../../sso/json.ts';
import { readSsoInput, rolesMax, type TypedSso } from '../../sso/read-input.ts';
import { saveSso } from '../../sso/save-sso.ts';
import { testProvider } from '../../sso/test-provider.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { lockAccess } from '../core/still-may.ts';

const version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** Longer texts are refused by the rules of each property. */
const text = Type.String({ maxLength: 2000 });

const settingsBody = Type.Object({
  version,
  issuer: text,
  client_id: text,
  /** Empty: the stored one stays. */
  client_secret: text,
  role_claim: text,
  roles: Type.Array(Type.Object({ value: text, role: text }), { maxItems: rolesMax }),
  /** Empty: only invited people sign in. */
  default_role: text,
  is_required: Type.Boolean(),
});
const domainBody = Type.Object({ domain: text });
const emailBody = Type.Object({ email: Type.String({ minLength: 1, maxLength: emailLengthMax * 2 }) });
const needsFreshSignIn = true;

/**
 * Single sign-on of the company. Changes of the settings name the version that they are based on. Each change answers with the
 * settings as they then are.
 */
export const ssoEndpoints = [
  forMembers('GET /sso', 'owner', {}, answerSso),
  forMembers('POST /sso', 'owner', { body: settingsBody, needsFreshSignIn }, save),
  forMembers('POST /sso/remove', 'owner', { body: Type.Object({ version }), needsFreshSignIn }, remove),
  forMembers('POST /sso/test', 'owner', { body: Type.Object({ issuer: text }) }, test),
  forMembers('POST /sso/domains', 'owner', { body: domainBody, needsFreshSignIn }, add),
  forMembers('POST /sso/domains/check', 'owner', { body: domainBody, needsFreshSignIn }, check),
  forMembers('POST /sso/domains/remove', 'owner', { body: domainBody, needsFreshSignIn }, removeOne),
  forMembers('POST /sso/unlink', 'owner', { body: emailBody, needsFreshSignIn }, unlinkOne),
];

async function answerSso({ db }: ConsoleDeps, { caller, pageOrigin }: Pick<MemberCall, 'caller' | 'pageOrigin'>) {
  const { account_id: accountId } = caller.membership;
  const [connection, domains] = await Promise.all([findSso(db, accountId), listDomains(db, accountId)]);
  return ssoJson(pageOrigin, accountId, connection, domains);
}

async function save(deps: ConsoleDeps, call: MemberCall<TypedSso & { version: number }>) {
  const { world, db, secretBox, sso } = deps;
  const read = readSsoInput(call.body, sso.allowPrivate);
  if ('fault' in read) throw new ConsoleError('invalid_input', { param: read.fault });
  const refusal = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    return saveSso(world, tx, secretBox, changeOf(call), read.input);
  });
  if (refusal !== null) throw new ConsoleError(refusal);
  return answerSso(deps, call);
}

async function remove(deps: ConsoleDeps, call: MemberCall<{ version: number }>) {
  const { world, db } = deps;
  const isRemoved = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    return removeSso(world, tx, changeOf(call));
  });
  if (!isRemoved) throw new ConsoleError('changed_meanwhile');
  return answerSso(deps, call);
}

/** Of a provider that need not be saved. Throws `too_many_tries`. */
async function test({ world, db, sso }: ConsoleDeps, { caller, body }: MemberCall<{ issuer: string }>) {
  await countTry(world, db, 'sso_test', caller.membership.account_id);
  return testProvider(sso, body.issuer);
}

async function add(deps: ConsoleDeps, call: MemberCall<{ domain: string }>) {
  const { world, db } = deps;
  const change = domainChange(call);
  const added = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    return addDomain(world, tx, change);
  });
  if (added === null) throw new ConsoleError('too_many_domains');
  return answerSso(deps, call);
}

async function check(deps: ConsoleDeps, call: MemberCall<{ domain: string }>) {
  await countTry(deps.world, deps.db, 'sso_test', call.caller.membership.account_id);
  const result = await checkDomain(deps.sso, domainChange(call));
  if (result === 'not_found') throw new ConsoleError('not_found');
  if (result !== 'proven') throw new ConsoleError(`domain_${result}`);
  return answerSso(deps, call);
}

async function removeOne(deps: ConsoleDeps, call: MemberCall<{ domain: string }>) {
  const { world, db } = deps;
  const change = domainChange(call);
  const isRemoved = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    return removeDomain(world, tx, change);
  });
  if (!isRemoved) throw new ConsoleError('not_found');
  return answerSso(deps, call);
}

async function unlinkOne({ world, db }: ConsoleDeps, call: MemberCall<{ email: string }>) {
  const { caller, body } = call;
  const { account_id: accountId } = caller.membership;
  const change = { accountId, email: body.email, personId: caller.person.id };
  const isUnlinked = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    return unlink(world, tx, change);
  });
  if (!isUnlinked) throw new ConsoleError('not_found', { param: 'email' });
}

function changeOf({ caller, body }: MemberCall<{ version: number }>): SsoChange {
  const { membership, person, session } = caller;
  return { accountId: membership.account_id, personId: person.id, version: body.version, sessionId: session.id };
}

/** Throws `invalid_input` for what can't be a domain of e-mail addresses. */
function domainChange({ caller, body }: MemberCall<{ domain: string }>): DomainChange {
  const domain = readDomain(body.domain);
  if (domain === null) throw new ConsoleError('invalid_input', { param: 'domain' });
  return { accountId: caller.membership.account_id, personId: caller.person.id, domain };
}
