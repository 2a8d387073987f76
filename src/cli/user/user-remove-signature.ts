import type { Command } from 'commander';
import { auditAccount } from '../../accounts/account-audit.ts';
import { findMember } from '../../accounts/members.ts';
import { findPersonByEmail, lockPerson } from '../../identity/people.ts';
import { removeSavedSignatures, type SavedMark, savedMarks } from '../../identity/saved-signatures.ts';
import { byId } from '../core/by-id.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { memberJson } from './member-json.ts';

/** Removes the saved signature and initials of a member. What was signed with them stays. */
export function defineRemoveSignature(user: Command): void {
  user
    .command('remove-signature <id>')
    .description('remove the saved signature and initials of a member; what they signed stays')
    .action(async (id: string, _options, command: Command) => {
      answer(command, await withDatabase((session) => removeSignature(session, id)), card);
    });
}

async function removeSignature({ world, db }: Session, id: string) {
  const member = await byId('member', id, () => findMember(db, id));
  const removed = await db.transaction(async (tx): Promise<SavedMark[]> => {
    const person = await findPersonByEmail(tx, member.email);
    if (person === null) return [];
    await lockPerson(tx, person.id);
    const marks = await removeSavedSignatures(tx, person.id, savedMarks);
    for (const mark of marks) {
      const entry = {
        accountId: member.account_id,
        personId: null,
        detail: { member_id: member.id, email: member.email, mark },
      };
      await auditAccount(world, tx, { ...entry, action: 'saved_signature_removed' });
    }
    return marks;
  });
  return { ...memberJson(member), removed };
}
