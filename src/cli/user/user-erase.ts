import { join } from 'node:path';
import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import { lockMembers, type Member } from '../../accounts/members.ts';
import { erasePerson } from '../../erasure/erase-person.ts';
import { Refusal } from '../../errors.ts';
import { findPersonByEmail, lockPerson } from '../../identity/people.ts';
import { canonicalEmail } from '../../platform/canonical-email.ts';
import type { World } from '../../platform/world.ts';
import type { Database, Queryable, Tx } from '../../postgres/database.ts';
import { findSso } from '../../sso/connection.ts';
import { hasWayIn } from '../../sso/way-in.ts';
import { emailOf } from '../core/arguments.ts';
import { type Session, withExistingDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { lastWayIn } from './change-member.ts';

interface EraseOptions {
  email: string;
  confirm?: boolean;
}

export function defineErase(user: Command): void {
  user
    .command('erase')
    .description('erase someone who signs in, from every company; without --confirm it only counts')
    .requiredOption('--email <address>', "the person's e-mail address", emailOf('--email'))
    .option('--confirm', 'erase: this cannot be undone')
    .action(async (options: EraseOptions, command: Command) => {
      answer(command, await withExistingDatabase((session) => erase(session, options)), card);
    });
}

async function erase({ config, world, db }: Session, { email, confirm = false }: EraseOptions) {
  const erased = await erasePersonWith(world, db, email, confirm);
  const { eraseMailbox } = await import('../../erasure/erase-mailbox.ts');
  const messages = await eraseMailbox(db, join(config.dataDir, 'mailbox'), email, {
    accountId: null,
    isCount: !confirm,
  });
  return { ...erased, mailbox_messages: messages };
}

async function erasePersonWith(world: World, db: Database, email: string, confirm: boolean) {
  const person = await findPersonByEmail(db, email);
  if (person === null) throw new Refusal('nobody signs in with this e-mail address');
  return db.transaction(async (tx) => {
    // Companies before people, as single sign-on does.
    const members = new Map<string, Member[]>();
    for (const { id, is_removed } of await companiesOf(tx, email))
      if (!is_removed) members.set(id, await lockMembers(tx, id));
    await lockPerson(tx, person.id);
    const accounts = await companiesOf(tx, email);
    for (const id of accounts.filter(({ is_removed }) => !is_removed).map(({ id }) => id)) {
      const owners = (members.get(id) ?? (await lockMembers(tx, id))).filter(({ role }) => role === 'owner');
      if (owners.length === 1 && canonicalEmail(owners[0]?.email ?? '') === canonicalEmail(email)) {
        throw new Refusal(`company ${id} needs an owner: give another member the role first`);
      }
      if (await isLastWayIn(tx, id, email)) throw new Refusal(`company ${id}: ${lastWayIn}`);
    }
    if (confirm) {
      await erasePerson(world, tx, person.id);
      for (const { id } of accounts) {
        const detail = { person_id: person.id };
        await auditAccount(world, tx, { accountId: id, personId: null, action: 'person_erased', detail });
      }
    }
    return { erased: confirm, person_id: person.id, companies: accounts.length };
  });
}

async function isLastWayIn(tx: Tx, accountId: string, email: string): Promise<boolean> {
  if ((await findSso(tx, accountId))?.is_required !== true) return false;
  return (await hasWayIn(tx, accountId)) && !(await hasWayIn(tx, accountId, email));
}

function companiesOf(db: Queryable, email: string): Promise<Array<{ id: string; is_removed: boolean }>> {
  return db.query({
    name: 'companies_of_person',
    text: `select a.id, a.removed_at is not null as is_removed from members m join accounts a on a.id = m.account_id
           where m.canonical_email = $1 order by a.id`,
    values: [canonicalEmail(email)],
  });
}
