import { auditAccount } from '../accounts/account-audit.ts';
import { readAttachment } from '../documents/attachment.ts';
import { calculatedFrom } from '../documents/check-formulas.ts';
import { awaitsSignature, type Document, isUnsent } from '../documents/document.ts';
import { eraseFieldFiles } from '../documents/field-file.ts';
import { listRecipients, lockDocument } from '../documents/queries.ts';
import { erasedName, erasedText, type Recipient } from '../documents/recipient.ts';
import { cancelSchedule } from '../documents/schedule-send.ts';
import { releaseFiles, releaseUncounted, sha256OfFileKey } from '../documents/stored-files.ts';
import { canonicalEmail, isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Database, Queryable, Tx } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';
import { endExports } from './end-exports.ts';
import { filesOf } from './erase-documents.ts';
import { eraseHoldersFromMessages } from './erase-from-messages.ts';
import { eraseMailboxOfHolders } from './erase-mailbox.ts';
import { type FoundRecipient, hasContact } from './find-recipients.ts';
import { type Holder, redactTrail } from './redact-trail.ts';

/** What happens to the sealed PDFs of the person's documents, which have their name, signature and addresses. */
export type FileChoice = 'keep' | 'delete';

export interface ErasedRecipients {
  recipients: number;
  documents: number;
  audit_entries: number;
  files: number;
  mailbox_messages: number;
}

/**
 * Erases a person from their documents, one transaction for each document: contact details, signature, what they filled in,
 * links and codes, the details of the audit trail, and their messages in the local mailbox, `mailboxDir`. It can be interrupted and
 * run again. Documents that have become open again are left out.
 */
export async function eraseRecipients(
  world: World,
  db: Database,
  found: readonly FoundRecipient[],
  files: FileChoice,
  mailboxDir?: string,
): Promise<ErasedRecipients> {
  const sum: ErasedRecipients = { ...nothing };
  for (const recipients of Map.groupBy(found, ({ document_id }) => document_id).values()) {
    const erased = await db.transaction((tx) => eraseFromDocument(world, tx, recipients, files, mailboxDir));
    for (const key of Object.keys(sum) as Array<keyof ErasedRecipients>) sum[key] += erased[key];
  }
  return sum;
}

const nothing: Readonly<ErasedRecipients> = {
  recipients: 0,
  documents: 0,
  audit_entries: 0,
  files: 0,
  mailbox_messages: 0,
};

/** Removes an address to which companies, one or all, have answers to their e-mails sent. Returns those that had it. */
export async function eraseFromBrands(db: Queryable, email: string, accountId: string | null): Promise<string[]> {
  const brands = await db.query<{ account_id: string; reply_to: string }>({
    name: 'reply_addresses',
    text: `select account_id, reply_to from brands
           where ($1::uuid is null or account_id = $1) and reply_to is not null`,
    values: [accountId],
  });
  const theirs = brands.filter(({ reply_to: address }) => isSameEmail(address, email));
  const erased = await db.query<{ account_id: string }>({
    name: 'erase_from_brands',
    text: `update brands b set reply_to = null, always_reply_to = false, version = version + 1
           from unnest($1::uuid[], $2::text[]) as theirs (account_id, reply_to)
           where b.account_id = theirs.account_id and b.reply_to = theirs.reply_to returning b.account_id`,
    values: [theirs.map(({ account_id: id }) => id), theirs.map(({ reply_to: address }) => address)],
  });
  return erased.map(({ account_id: id }) => id);
}

/** Removes a person from the cc lists of one company or of all. Returns the companies that had them in one. */
export async function eraseFromCcLists(tx: Tx, email: string, accountId: string | null): Promise<string[]> {
  const values = [canonicalEmail(email), accountId];
  // A change that replaces all people of a list is waited for, and the next statement sees what it has written.
  await tx.query({
    name: 'lock_cc_lists_of_person',
    text: `select from cc_lists where (account_id, id) in (
             select account_id, list_id from cc_list_people
             where ($2::uuid is null or account_id = $2) and canonical_email = $1
           ) order by id for update`,
    values,
  });
  const erased = await tx.query<{ account_id: string }>({
    name: 'erase_from_cc_lists',
    text: `with erased as (
             delete from cc_list_people where ($2::uuid is null or account_id = $2) and canonical_email = $1
             returning account_id, list_id
           ), changed as (
             update cc_lists l set version = l.version + 1 from erased e where l.account_id = e.account_id and l.id = e.list_id
           )
           select distinct account_id from erased`,
    values,
  });
  return erased.map(({ account_id }) => account_id);
}

async function eraseFromDocument(
  world: World,
  tx: Tx,
  found: readonly FoundRecipient[],
  files: FileChoice,
  mailboxDir: string | undefined,
): Promise<ErasedRecipients> {
  const { account_id: accountId, document_id: documentId } = found[0] as FoundRecipient;
  const document = await lockDocument(tx, accountId, documentId, 'all');
  if (document === null || isInUse(document)) return nothing;
  const recipients = stillFound(found, await listRecipients(tx, accountId, documentId));
  if (recipients.length === 0) return nothing;
  await allowErasing(tx);
  const present = recipients.filter(({ is_former: isFormer }) => !isFormer).map(({ id }) => id);
  const former = recipients.filter(({ is_former: isFormer }) => isFormer);
  const ids = [...new Set(recipients.map(({ id }) => id))];
  const holders = [
    ...former.map(({ id: recipientId, holder }) => ({ recipientId, holder })),
    ...(present.length === 0 ? [] : await erasePresent(world, tx, document, present)),
  ];
  await eraseHoldersFromMessages(tx, accountId, documentId, holders, world.clock.now());
  await eraseComments(tx, accountId, documentId, holders);
  await eraseOrigins(tx, accountId, documentId, ids);
  const entries = await redactTrail(world, tx, document, holders);
  // Sealed PDFs name in their history who was replaced.
  const deleted = files === 'delete' ? await deleteFile(world, tx, document) : 0;
  await endExports(world, tx, [accountId]);
  const detail = { document_id: documentId, recipient_ids: ids, files };
  await auditAccount(world, tx, { accountId, personId: null, action: 'person_erased', detail });
  // Before the commit: afterwards nothing says whose messages these are.
  const messages =
    mailboxDir === undefined
      ? 0
      : await eraseMailboxOfHolders(
          tx,
          mailboxDir,
          holders.map((holder) => ({ ...holder, accountId, documentId })),
        );
  return { recipients: ids.length, documents: 1, audit_entries: entries, files: deleted, mailbox_messages: messages };
}

/**
 * Leaves out recipients that an edit has made other people since they were found. Those whose place another person has taken
 * are former recipients now.
 */
function stillFound(found: readonly FoundRecipient[], now: readonly Recipient[]): FoundRecipient[] {
  return found.flatMap((one) => {
    if (one.is_former) return [one];
    const recipient = now.find(({ id }) => id === one.id);
    if (recipient === undefined) return [];
    if (recipient.holder > one.holder) return [{ ...one, is_former: true }];
    return hasContact(recipient, one.contact) ? [one] : [];
  });
}

function isInUse({ status, sealed_at, is_migrated }: Document): boolean {
  return awaitsSignature(status) || (status === 'completed' && sealed_at === null && !is_migrated);
}

/** Erases what is stored of the people who are recipients now. Returns who they are in the audit trail. */
async function erasePresent(world: World, tx: Tx, document: Document, ids: readonly string[]): Promise<Holder[]> {
  const { account_id: accountId } = document;
  const holders = await eraseContacts(tx, accountId, ids);
  // Fields of an unsent document have only the values of the sender, which another person may take over.
  if (!isUnsent(document.status)) await eraseValues(tx, accountId, ids);
  await deleteAccess(tx, accountId, ids);
  await eraseFieldFiles(world, tx, accountId, ids);
  await eraseResults(tx, accountId, document.id, ids);
  if (document.send_at !== null) await cancelSchedule(world, tx, document, 'operator');
  return holders;
}

async function eraseContacts(tx: Tx, accountId: string, ids: readonly string[]): Promise<Holder[]> {
  return tx.query<Holder>({
    name: 'erase_contacts',
    text: `update recipients set display_name = $3, email = null, phone = null, signature_png = null, initials_png = null,
             stamp_png = null,
             signature_name = case when signature_name is not null then $3 end,
             initials_text = case when initials_text is not null then $4 end,
             signed_ip = null, signed_user_agent = null, contact_salt = null,
             declined_reason = case when declined_reason is not null then $4 end
           where account_id = $1 and id = any ($2::uuid[]) returning id as "recipientId", holder`,
    values: [accountId, ids, erasedName, erasedText],
  });
}

async function eraseValues(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase_field_values',
    text: `update document_fields
           set value = case when value is not null then $3 end, preset = case when preset is not null then $3 end
           where account_id = $1 and recipient_id = any ($2::uuid[]) and type in ('text', 'number', 'dropdown', 'upload')
             and coalesce(value, preset) is not null`,
    values: [accountId, ids, erasedText],
  });
}

/** Deletes the links and codes of recipients, and what they drew on a phone. */
async function deleteAccess(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  for (const table of ['signing_links', 'verification_codes', 'verifications', 'phone_drawings']) {
    await tx.query({
      name: `erase_${table}_of_person`,
      text: `delete from ${table} t using recipients r
             where r.account_id = $1 and r.id = any ($2::uuid[]) and t.recipient_id = r.id`,
      values: [accountId, ids],
    });
  }
}

/** Erases what these people wrote to the sender. That they wrote, and when, stays. */
async function eraseComments(tx: Tx, accountId: string, documentId: string, holders: readonly Holder[]): Promise<void> {
  await tx.query({
    name: 'erase_comments',
    text: `update recipient_comments c set name = null, text = null
           from unnest($3::uuid[], $4::smallint[]) as h (id, holder)
           where c.account_id = $1 and c.document_id = $2 and c.recipient_id = h.id and c.holder = h.holder`,
    values: [accountId, documentId, holders.map(({ recipientId }) => recipientId), holders.map(({ holder }) => holder)],
  });
}

/** Erases results of other people's calculated fields that come from numbers of the erased. */
async function eraseResults(tx: Tx, accountId: string, documentId: string, ids: readonly string[]): Promise<void> {
  const fields = (await readAttachment(tx, accountId, documentId))?.fields ?? [];
  const erased = new Set(fields.filter(({ recipient_id: id }) => ids.includes(id)));
  const results = calculatedFrom(fields, erased);
  if (results.length === 0) return;
  await tx.query({
    name: 'erase_calculated_values',
    text: `update document_fields set value = $3 where account_id = $1 and id = any ($2::uuid[]) and value is not null`,
    values: [accountId, results.map(({ id }) => id), erasedText],
  });
}

/** Erases what the document was made from: the row of a bulk send, and the address given on a public link. */
async function eraseOrigins(tx: Tx, accountId: string, documentId: string, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase_bulk_send_cells',
    text: 'update bulk_send_rows set cells = null where account_id = $1 and document_id = $2',
    values: [accountId, documentId],
  });
  await tx.query({
    name: 'erase_public_link_address',
    text: `update public_link_documents set email_hash = null
           where account_id = $1 and document_id = $3 and recipient_id = any ($2::uuid[])`,
    values: [accountId, ids, documentId],
  });
}

/** Deletes the sealed PDF, or the file that was completed at a vendor. The hashes in `sealed_files` stay. */
async function deleteFile(world: World, tx: Tx, document: Document): Promise<number> {
  const { id, account_id: accountId, sealed_file: key, is_migrated: isMigrated } = document;
  if (isMigrated) return deleteImportedFile(world, tx, accountId, id);
  if (key === null) return 0;
  const [erased] = await tx.query<{ bytes: number | null }>({
    name: 'erase_sealed_file',
    text: `with ended as (
             update sealed_files set renew_at = null, renewal_failures = 0, renewal_failure = null
             where account_id = $1 and document_id = $2 and renew_at is not null
           )
           update documents d set sealed_file = null where d.account_id = $1 and d.id = $2
           returning (
             select bytes from sealed_files f where f.account_id = $1 and f.document_id = $2 order by f.version desc limit 1
           )`,
    values: [accountId, id],
  });
  const sha256 = Buffer.from(sha256OfFileKey(key), 'hex');
  await releaseUncounted(tx, world, [{ sha256, bytes: erased?.bytes ?? 1 }]);
  return 1;
}

/** Deletes the file, and the text that it was unlocked to. */
async function deleteImportedFile(world: World, tx: Tx, accountId: string, id: string): Promise<number> {
  const held = await filesOf(tx, accountId, [id]);
  for (const table of ['field_files', 'unlocked_pages', 'document_unlocks', 'document_parts', 'document_files']) {
    await tx.query({
      name: `erase_${table}_of_document`,
      text: `delete from ${table} where account_id = $1 and document_id = $2`,
      values: [accountId, id],
    });
  }
  await tx.query({
    name: 'skip_unlock_of_erased',
    text: `update import_items set unlock_status = 'skipped', unlock_credits = 0
           where account_id = $1 and document_id = $2 and unlock_status = 'pending'`,
    values: [accountId, id],
  });
  await releaseFiles(tx, world, held);
  return held.length === 0 ? 0 : 1;
}
