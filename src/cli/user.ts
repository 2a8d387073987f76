import type { Command } from 'commander';
import { findAccount } from '../accounts/manage-accounts.ts';
import {
  createMember,
  listMembers,
  type Member,
  type MemberRole,
  memberRoles,
  removeMember,
} from '../accounts/members.ts';
import { Refusal } from '../errors.ts';
import { emailOf, oneOf } from './arguments.ts';
import { byId } from './by-id.ts';
import { withDatabase } from './session.ts';
import { answer, card, table } from './terminal.ts';

interface CreateOptions {
  account: string;
  email: string;
  role: MemberRole;
}

export function define(user: Command): void {
  user
    .command('create')
    .description('add a member to a company; owners are told by e-mail when a webhook endpoint is paused')
    .requiredOption('--account <id>', 'the company')
    .requiredOption('--email <address>', "the member's e-mail address", emailOf('--email'))
    .requiredOption('--role <role>', `one of ${memberRoles.join(', ')}`, oneOf('--role', memberRoles))
    .action(async ({ account, email, role }: CreateOptions, command: Command) => {
      const created = await withDatabase(async ({ world, db }) => {
        await byId('account', account, () => findAccount(db, account));
        const member = await createMember(world, db, { accountId: account, email, role });
        if (member === null) throw new Refusal('the account was removed: it gets no new members');
        return member;
      });
      // Members sign in to the console, which a later release brings.
      answer(command, { ...memberJson(created), sign_in_url: null }, card);
    });

  user
    .command('list')
    .description("list a company's members")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const members = await withDatabase(async ({ db }) => {
        await byId('account', account, () => findAccount(db, account));
        return listMembers(db, account);
      });
      answer(command, members.map(memberJson), (rows) => table(rows.map(memberRow), 'no members'));
    });

  user
    .command('remove <id>')
    .description('remove a member')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase(({ db }) => byId('member', id, () => removeMember(db, id)));
      answer(command, memberJson(removed), card);
    });
}

function memberJson({ id, email, role, created_at }: Member) {
  return { id, email, role, created_at };
}

function memberRow({ email, ...rest }: ReturnType<typeof memberJson>) {
  return { ...rest, email };
}
