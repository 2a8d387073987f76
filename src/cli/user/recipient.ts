import { join } from 'node:path';
import type { Command } from 'commander';
import { endExports } from '../../erasure/end-exports.ts';
import { eraseFromMessages } from '../../erasure/erase-from-messages.ts';
import { eraseFromViews } from '../../erasure/erase-from-views.ts';
import { eraseMailbox } from '../../erasure/erase-mailbox.ts';
import { eraseWhoSignsIn, findWhoSignsIn, type SignsIn } from '../../erasure/erase-people.ts';
import { eraseFromBrands, eraseFromCcLists, eraseRecipients, type FileChoice } from '../../erasure/erase-recipient.ts';
import { eraseUnsentRows, findUnsentRows } from '../../erasure/erase-unsent-rows.ts';
import { eraseVisits, findVisits } from '../../erasure/erase-visits.ts';
import { type Contact, type FoundRecipient, findRecipients } from '../../erasure/find-recipients.ts';
import { Refusal } from '../../errors.ts';
import { canonicalEmail } from '../../platform/canonical-email.ts';
import { dialable } from '../../platform/dialable.ts';
import { findCompany } from '../account/find-company.ts';
import { emailOf, oneOf, UsageError } from '../core/arguments.ts';
import { type Session, withExistingDatabase } from '../core/session.ts';
import { answer, card, remark } from '../core/terminal.ts';

interface EraseOptions {
  email?: string;
  phone?: string;
  files: FileChoice;
  account?: string;
  confirm?: boolean;
}

const choices = ['keep', 'delete'] as const;

export function define(recipient: Command): void {
  recipient
    .command('erase')
    .description('erase a person from documents and audit trails; without --confirm it only counts')
    .option('--email <address>', "the person's e-mail address", emailOf('--email'))
    .option('--phone <number>', 'or their phone number', phoneOf)
    .requiredOption('--files <choice>', 'keep or delete the sealed PDFs of the documents', oneOf('--files', choices))
    .option('--account <id>', 'only in this company')
    .option('--confirm', 'erase: this cannot be undone')
    .action(async (options: EraseOptions, command: Command) => {
      answer(command, await withExistingDatabase((session) => erase(session, options)), card);
    });
}

async function erase(session: Session, { email, phone, files, account, confirm = false }: EraseOptions) {
  const { config, world, db } = session;
  const contact = readContact(email, phone);
  const typed = email ?? phone ?? '';
  const accountId = account ?? null;
  if (accountId !== null) await findCompany(db, accountId);
  const found = await findRecipients(db, contact, accountId);
  const unsent = await findUnsentRows(db, contact, accountId);
  const mailbox = join(config.dataDir, 'mailbox');
  assertNoneInUse(found);
  if (!confirm) {
    const recipients = new Set(found.map(({ id }) => id)).size;
    const documents = new Set(found.map(({ document_id }) => document_id)).size;
    const messages = await eraseMailbox(db, mailbox, typed, {
      accountId,
      isCount: true,
      recipients: found.map((one) => ({
        accountId: one.account_id,
        documentId: one.document_id,
        recipientId: one.id,
        holder: one.holder,
      })),
    });
    const person = email === undefined || accountId !== null ? null : await findWhoSignsIn(db, email);
    const visits = email === undefined ? [] : await findVisits(db, email, accountId);
    const counted = { recipients, documents, people: peopleOf(person), public_link_visits: visits.length };
    return { erased: false, ...counted, bulk_send_rows: unsent.length, mailbox_messages: messages };
  }
  // First, so that no code makes a document meanwhile.
  const visits = email === undefined ? 0 : await eraseVisits(db, email, accountId);
  const erased = await eraseRecipients(world, db, found, files, mailbox);
  const emptied = await eraseUnsentRows(world, db, unsent);
  const person =
    email === undefined || accountId !== null ? null : await db.transaction((tx) => eraseWhoSignsIn(world, tx, email));
  await db.transaction(async (tx) => {
    await endExports(world, tx, [
      ...(await eraseFromViews(tx, typed, accountId)),
      ...(email === undefined ? [] : await eraseFromBrands(tx, email, accountId)),
      ...(email === undefined ? [] : await eraseFromCcLists(tx, email, accountId)),
      ...(await eraseFromMessages(tx, contact.address, accountId)),
    ]);
  });
  const messages = await eraseMailbox(db, mailbox, typed, { accountId, isCount: false });
  return {
    erased: true,
    ...erased,
    people: peopleOf(person),
    public_link_visits: visits,
    bulk_send_rows: emptied,
    mailbox_messages: erased.mailbox_messages + messages,
  };
}

/** Returns how many people who sign in are erased too: recipients who belong to no company. */
function peopleOf(person: SignsIn | null): 0 | 1 {
  if (person?.is_member) remark('a member of a company has this e-mail address: run user erase too');
  return person === null || person.is_member ? 0 : 1;
}

function readContact(email: string | undefined, phone: string | undefined): Contact {
  if (email !== undefined && phone === undefined) return { channel: 'email', address: canonicalEmail(email) };
  if (phone !== undefined && email === undefined) return { channel: 'sms', address: dialable(phone) };
  throw new UsageError('give either --email or --phone');
}

function phoneOf(value: string): string {
  // Saved views are searched for it, and a few digits are in many of them.
  if (/\d{7}/.test(dialable(value))) return value;
  throw new UsageError('--phone must be a phone number of at least 7 digits, such as +41 79 000 00 00');
}

const namedMax = 5;

function assertNoneInUse(found: readonly FoundRecipient[]): void {
  const inUse = [...new Set(found.filter(({ obstacle }) => obstacle !== null).map(({ document_id }) => document_id))];
  if (inUse.length === 0) return;
  const named = inUse.slice(0, namedMax).join(', ');
  const more = inUse.length > namedMax ? ` and ${inUse.length - namedMax} more` : '';
  throw new Refusal(`documents await signatures or their seal: void them or wait, then try again (${named}${more})`);
}
