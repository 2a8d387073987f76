import { Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import {
  changeMemberRole,
  createMember,
  isOnlyOwner,
  lockMembers,
  type Member,
  type MemberRole,
  memberRoles,
  pageMembers,
  removeMember,
} from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import { countTry } from '../../identity/guess-limit.ts';
import { ensurePerson } from '../../identity/people.ts';
import { mintSignInLink, signInUrl } from '../../identity/sign-in-link.ts';
import { signInMail } from '../../identity/sign-in-mail.ts';
import { emailLengthMax, isPlausibleEmail } from '../../platform/email-address.ts';
import type { Tx } from '../../postgres/database.ts';
import { findSso } from '../../sso/connection.ts';
import { isAtLeast } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { type PagePosition, readListPage } from '../core/open-list.ts';
import { lockAccess } from '../core/still-may.ts';
import { keepWayIn } from './keep-way-in.ts';

const role = Type.Enum([...memberRoles]);
const invitation = Type.Object({ email: Type.String({ minLength: 1, maxLength: emailLengthMax * 2 }), role });

/** Members of the company. Only owners may change owners. */
export const memberEndpoints = [
  forMembers('GET /members', 'member', {}, listPage),
  forMembers('POST /members', 'admin', { body: invitation, needsFreshSignIn: true }, invite),
  forMembers('POST /members/:id/role', 'admin', { body: Type.Object({ role }), needsFreshSignIn: true }, changeRole),
  forMembers('POST /members/:id/invitation', 'admin', {}, inviteAgain),
  forMembers('DELETE /members/:id', 'admin', { needsFreshSignIn: true }, remove),
];

async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const read = ({ accountId, afterId, limit }: PagePosition) => pageMembers(deps.db, accountId, afterId, limit);
  const own = call.caller.membership.member_id;
  return readListPage(deps, call, 'members', read, (member) => ({ ...memberJson(member), is_you: member.id === own }));
}

async function invite(deps: ConsoleDeps, call: MemberCall<{ email: string; role: MemberRole }>) {
  const { world, db } = deps;
  const { caller, body } = call;
  if (!isPlausibleEmail(body.email)) throw new ConsoleError('invalid_input', { param: 'email' });
  assertMayMake(caller.membership.role, body.role);
  const accountId = caller.membership.account_id;
  await countTry(world, db, 'invitations', accountId);
  const { member, token } = await db.transaction(async (tx) => {
    await lockAccess(tx, call);
    const member = await unlessMember(() => createMember(world, tx, { accountId, ...body }, caller.person.id));
    const person = await ensurePerson(world, tx, member.email);
    return { member, token: await mintSignInLink(world, tx, person.id, 'invitation', member.account_id) };
  });
  return { ...memberJson(member), invitation: await mailInvitation(deps, call, member, token) };
}

/** Sends a new invitation link after the last one expired. */
async function inviteAgain(deps: ConsoleDeps, call: MemberCall) {
  const { world, db } = deps;
  await countTry(world, db, 'invitations', call.caller.membership.account_id);
  const { member, token } = await db.transaction(async (tx) => {
    const { member } = await lockMember(tx, call);
    assertMayMake(call.caller.membership.role, member.role);
    const person = await ensurePerson(world, tx, member.email);
    const { id, account_id: accountId, email, role } = member;
    const detail = { member_id: id, email, role };
    await auditAccount(world, tx, { accountId, personId: call.caller.person.id, action: 'invitation_sent', detail });
    return { member, token: await mintSignInLink(world, tx, person.id, 'invitation', member.account_id) };
  });
  return { ...memberJson(member), invitation: await mailInvitation(deps, call, member, token) };
}

/** Sends the invitation. Call it outside a transaction. If it fails, the sign-in page can send a link too. */
async function mailInvitation(
  { world, mail, origin }: ConsoleDeps,
  { caller, language }: MemberCall,
  member: Member,
  token: string,
): Promise<'sent' | 'not_sent'> {
  const occasion = {
    kind: 'invitation',
    accountName: caller.membership.account_name,
    invitedBy: caller.person.email,
  } as const;
  const message = signInMail(language, occasion, signInUrl(origin(), token));
  const outcome = await mail.send({ id: world.newId(), to: { name: '', address: member.email }, ...message });
  return outcome.kind === 'accepted' ? 'sent' : 'not_sent';
}

async function changeRole({ world, db }: ConsoleDeps, call: MemberCall<{ role: MemberRole }>) {
  const { caller, body } = call;
  return db.transaction(async (tx) => {
    const { member, members } = await lockMember(tx, call);
    assertMayMake(caller.membership.role, member.role);
    assertMayMake(caller.membership.role, body.role);
    if (body.role !== 'owner') assertOwnerIsLeft(members, member);
    const changed = await change(tx, member, () => changeMemberRole(world, tx, member, body.role, caller.person.id));
    if (changed === null) throw new ConsoleError('not_found');
    return memberJson(changed);
  });
}

/** Removes a member. Access ends with the next request, because every request checks the membership. */
async function remove({ world, db }: ConsoleDeps, call: MemberCall) {
  return db.transaction(async (tx) => {
    const { member, members } = await lockMember(tx, call);
    assertMayMake(call.caller.membership.role, member.role);
    assertOwnerIsLeft(members, member);
    await change(tx, member, () => removeMember(world, tx, member.id, call.caller.person.id));
    return memberJson(member);
  });
}

/** Locks a member of the caller's company and checks the caller's current role. Throws `not_found` or `forbidden`. */
async function lockMember(tx: Tx, { caller, params }: MemberCall): Promise<{ member: Member; members: Member[] }> {
  const members = await lockMembers(tx, caller.membership.account_id);
  const self = members.find(({ id }) => id === caller.membership.member_id);
  if (self === undefined || !isAtLeast(self.role, caller.membership.role)) throw new ConsoleError('forbidden');
  const member = members.find(({ id }) => id === params.id);
  if (member === undefined) throw new ConsoleError('not_found');
  return { member, members };
}

/** Throws `forbidden` unless the caller is an owner or no owner is involved. */
function assertMayMake(own: MemberRole, other: MemberRole): void {
  if (other === 'owner' && own !== 'owner') throw new ConsoleError('forbidden');
}

function assertOwnerIsLeft(members: readonly Member[], leaving: Member): void {
  if (isOnlyOwner(members, leaving)) throw new ConsoleError('last_owner');
}

/** Changes a member. Throws `owner_factor_needed` if this owner was the way in without single sign-on. */
async function change<Result>(tx: Tx, { account_id: accountId }: Member, act: () => Promise<Result>): Promise<Result> {
  const isRequired = (await findSso(tx, accountId))?.is_required === true;
  return keepWayIn(tx, isRequired ? [accountId] : [], act);
}

async function unlessMember(create: () => Promise<Member | null>): Promise<Member> {
  try {
    const member = await create();
    if (member === null) throw new ConsoleError('forbidden');
    return member;
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError('member_exists', { param: 'email', cause: error });
    throw error;
  }
}

function memberJson({ id, email, role, created_at }: Member) {
  return { id, email, role, created_at };
}
