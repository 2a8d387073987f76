import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import {
  createMember,
  findMember,
  listMembers,
  type Member,
  type MemberRole,
  memberRoles,
  removeMember,
} from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import { endSessions } from '../../identity/end-sessions.ts';
import { hashPassword } from '../../identity/password.ts';
import {
  findPasswordFault,
  hasPasswordLength,
  type PasswordFault,
  passwordLengthMax,
  passwordLengthMin,
} from '../../identity/password-fault.ts';
import { ensurePerson, lockPerson, setPasswordHash } from '../../identity/people.ts';
import { removeTotp } from '../../identity/second-factor.ts';
import { endSignInLinks, mintSignInLink, signInUrl } from '../../identity/sign-in-link.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { findCompany } from '../account/find-company.ts';
import { emailOf, oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { changeMember } from './change-member.ts';
import { memberJson } from './member-json.ts';
import { defineErase } from './user-erase.ts';
import { defineUserNotices } from './user-notices.ts';
import { defineRemovePassword } from './user-remove-password.ts';
import { defineRemoveSignature } from './user-remove-signature.ts';
import { defineSessions } from './user-sessions.ts';
import { defineSetRole } from './user-set-role.ts';

interface CreateOptions {
  account: string;
  email: string;
  role: MemberRole;
  password?: string;
}

export function define(user: Command): void {
  user
    .command('create')
    .description('add a member to a company, with a one-time link to sign in to the console')
    .requiredOption('--account <id>', 'the company')
    .requiredOption('--email <address>', "the member's e-mail address", emailOf('--email'))
    .requiredOption('--role <role>', `one of ${memberRoles.join(', ')}`, oneOf('--role', memberRoles))
    .option('--password <password>', 'password; without one, the member signs in with links')
    .action(async (options: CreateOptions, command: Command) => {
      assertPasswordLength(options);
      answer(command, await withDatabase((session) => create(session, options)), card);
    });

  user
    .command('sign-in-link <id>')
    .description('create a one-time sign-in link for the console, valid for a day')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async ({ config, world, db }) => {
        const member = await byId('member', id, () => findMember(db, id));
        const origin = await pagesOrigin(config);
        return db.transaction(async (tx) => {
          const detail = { member_id: member.id, email: member.email };
          const entry = { accountId: member.account_id, personId: null, detail };
          await auditAccount(world, tx, { ...entry, action: 'sign_in_link_created' });
          return withLink(world, tx, origin, member);
        });
      });
      answer(command, shown, card);
    });

  user
    .command('remove-second-factor <id>')
    .description('remove a lost authenticator: sign-in no longer asks for a code')
    .action(async (id: string, _options, command: Command) => {
      const member = await withDatabase(async ({ world, db }) => {
        const found = await byId('member', id, () => findMember(db, id));
        await db.transaction(async (tx) => {
          const person = await ensurePerson(world, tx, found.email);
          // A sign-in at the same moment ends before, or sees the change.
          await lockPerson(tx, person.id);
          await removeTotp(tx, person.id);
          await endSignInLinks(tx, person.id);
          await endSessions(tx, person.id, null);
          const entry = {
            accountId: found.account_id,
            personId: null,
            detail: { member_id: found.id, email: found.email },
          };
          await auditAccount(world, tx, { ...entry, action: 'totp_removed' });
        });
        return found;
      });
      answer(command, memberJson(member), card);
    });

  user
    .command('list')
    .description("list a company's members")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const members = await withDatabase(async ({ db }) => {
        await findCompany(db, account);
        return listMembers(db, account);
      });
      answer(command, members.map(memberJson), (rows) => table(rows.map(memberRow), 'no members'));
    });

  defineSetRole(user);
  defineUserNotices(user);
  defineSessions(user);
  defineRemovePassword(user);
  defineRemoveSignature(user);
  defineErase(user);

  user
    .command('remove <id>')
    .description('remove a member; a company keeps at least one owner')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase(({ world, db }) =>
        changeMember(db, id, { isDone: () => false, make: (tx) => removeMember(world, tx, id, null) }),
      );
      answer(command, memberJson(removed), card);
    });
}

const passwordFaults: Record<PasswordFault, string> = {
  length: `--password must be ${passwordLengthMin} to ${passwordLengthMax} characters`,
  common: '--password is too easy to guess: choose one that nobody else would think of',
  personal: "--password must not be made of the person's name, the company's name or the e-mail address",
};

/** Checks the password before any query. */
function assertPasswordLength({ password }: CreateOptions): void {
  if (password !== undefined && !hasPasswordLength(password)) throw new UsageError(passwordFaults.length);
}

async function assertPassword(email: string, companyName: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  const fault = await findPasswordFault(password, { email, companyNames: [companyName] });
  if (fault !== null) throw new UsageError(passwordFaults[fault]);
}

/** Sets the password. A person has one password for all companies, so this replaces an earlier one. */
async function create({ config, world, db }: Session, { account, email, role, password }: CreateOptions) {
  const company = await findCompany(db, account);
  await assertPassword(email, company.display_name, password);
  const origin = await pagesOrigin(config);
  const hash = password === undefined ? null : await hashPassword(world.random, password);
  return db.transaction(async (tx) => {
    const member = await createMember(world, tx, { accountId: account, email, role }, null);
    if (member === null) throw new Refusal('the account was removed: it gets no new members');
    const person = await ensurePerson(world, tx, email);
    if (hash !== null) {
      await setPasswordHash(tx, person.id, hash);
      await endSessions(tx, person.id, null);
      await endSignInLinks(tx, person.id);
      const entry = { accountId: account, personId: null, detail: { member_id: member.id, email: member.email } };
      await auditAccount(world, tx, { ...entry, action: 'password_set' });
    }
    return withLink(world, tx, origin, member);
  });
}

async function withLink(world: World, tx: Tx, origin: string, member: Member) {
  const person = await ensurePerson(world, tx, member.email);
  const token = await mintSignInLink(world, tx, person.id, 'operator', member.account_id);
  return { ...memberJson(member), sign_in_url: signInUrl(origin, token) };
}

function memberRow({ email, ...rest }: ReturnType<typeof memberJson>) {
  return { ...rest, email };
}
