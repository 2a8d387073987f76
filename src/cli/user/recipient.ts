import { join } from 'node:path';
import type { Command } from 'commander';
import { eraseFromMessages } from '../../erasure/erase-from-messages.ts';
import { eraseMailbox } from '../../erasure/erase-mailbox.ts';
import { eraseFromBrands, eraseFromViews, eraseRecipients, type FileChoice } from '../../erasure/erase-recipient.ts';
import { type FoundRecipient, findRecipients } from '../../erasure/find-recipients.ts';
import { Refusal } from '../../errors.ts';
import { findCompany } from '../account/find-company.ts';
import { emailOf, oneOf } from '../core/arguments.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';

interface EraseOptions {
  email: string;
  files: FileChoice;
  account?: string;
  confirm?: boolean;
}

const choices = ['keep', 'delete'] as const;

export function define(recipient: Command): void {
  recipient
    .command('erase')
    .description('erase a person from documents and audit trails; without --confirm it only counts')
    .requiredOption('--email <address>', "the person's e-mail address", emailOf('--email'))
    .requiredOption('--files <choice>', 'keep or delete the sealed PDFs of the documents', oneOf('--files', choices))
    .option('--account <id>', 'only in this company')
    .option('--confirm', 'erase: this cannot be undone')
    .action(async (options: EraseOptions, command: Command) => {
      answer(command, await withDatabase((session) => erase(session, options)), card);
    });
}

async function erase(session: Session, { email, files, account, confirm = false }: EraseOptions) {
  const { config, world, db } = session;
  if (account !== undefined) await findCompany(db, account);
  const found = await findRecipients(db, email, account ?? null);
  const mailbox = join(config.dataDir, 'mailbox');
  const documents = new Set(found.map(({ document_id }) => document_id)).size;
  assertNoneInUse(found);
  if (!confirm) {
    const messages = await eraseMailbox(mailbox, email, { isCount: true });
    return { erased: false, recipients: found.length, documents, mailbox_messages: messages };
  }
  const erased = await eraseRecipients(world, db, found, files);
  await eraseFromViews(db, email, account ?? null);
  await eraseFromBrands(db, email, account ?? null);
  await eraseFromMessages(db, email, account ?? null);
  const messages = await eraseMailbox(mailbox, email, { isCount: false });
  return { erased: true, ...erased, mailbox_messages: messages };
}

const namedMax = 5;

function assertNoneInUse(found: readonly FoundRecipient[]): void {
  const inUse = [...new Set(found.filter(({ obstacle }) => obstacle !== null).map(({ document_id }) => document_id))];
  if (inUse.length === 0) return;
  const named = inUse.slice(0, namedMax).join(', ');
  const more = inUse.length > namedMax ? ` and ${inUse.length - namedMax} more` : '';
  throw new Refusal(`documents await signatures or their seal: void them or wait, then try again (${named}${more})`);
}
