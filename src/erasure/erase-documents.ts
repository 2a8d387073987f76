import { releaseFiles, releaseUncounted, sha256OfFileKey } from '../documents/stored-files.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';
import { eraseRecipientsWhoSignIn } from './erase-people.ts';

/** Documents of one transaction. */
const documentsAtOnce = 50;

/** Rows of a document, each after those that refer to it. */
const tablesOfDocuments = [
  'field_files',
  'document_fields',
  'unlocked_pages',
  'document_unlocks',
  'document_parts',
  'document_files',
  'imported_envelopes',
  'credit_entries',
  'review_notes',
  'recipient_comments',
  'messages',
  'notices',
  'direct_messages',
  'attestations',
  'audit_entries',
  'sealed_files',
  'recipients',
] as const;

/** Rows of a recipient, which don't name the account. */
const tablesOfRecipients = ['verification_codes', 'verifications', 'signing_links', 'phone_drawings'] as const;

/**
 * Deletes some documents of an account with everything that belongs to them. Their files are handed over to the removal of
 * released files. Erases people who sign in only as recipients of these documents, too. Returns how many documents and people:
 * fewer than there are when the account has more. Events and imports go first.
 */
export async function eraseSomeDocuments(
  world: World,
  db: Database,
  accountId: string,
): Promise<{ documents: number; people: number }> {
  return db.transaction(async (tx) => {
    await allowErasing(tx);
    const documents = await tx.query<{ id: string; sealed_file: string | null; bytes: number | null }>({
      name: 'documents_to_erase',
      text: `select d.id, d.sealed_file, (
               select bytes from sealed_files f where f.account_id = $1 and f.document_id = d.id order by f.version desc limit 1
             ) as bytes
             from documents d where d.account_id = $1 order by d.id limit ${documentsAtOnce} for update of d`,
      values: [accountId],
    });
    const ids = documents.map(({ id }) => id);
    if (ids.length === 0) return { documents: 0, people: 0 };
    // People before the rows that name them, as in other erasures. The locks of the documents keep links from making more.
    const people = await eraseRecipientsWhoSignIn(world, tx, accountId, ids);
    const held = await filesOf(tx, accountId, ids);
    await forgetImportedFiles(tx, accountId, ids);
    await deleteOfRecipients(tx, accountId, ids);
    for (const table of tablesOfDocuments) {
      await tx.query({
        name: `erase_${table}`,
        text: `delete from ${table} where account_id = $1 and document_id = any ($2::uuid[])`,
        values: [accountId, ids],
      });
    }
    await tx.query({
      name: 'erase_documents',
      text: `with unmirrored as (
               update documents set mirrors_document_id = null
               where account_id = $1 and mirrors_document_id = any ($2::uuid[]) and not id = any ($2::uuid[])
             )
             delete from documents where account_id = $1 and id = any ($2::uuid[])`,
      values: [accountId, ids],
    });
    await releaseFiles(tx, world, held);
    await releaseUncounted(
      tx,
      world,
      documents.flatMap(({ sealed_file: key, bytes }) =>
        // The size of files that were sealed by early versions was not recorded.
        key === null ? [] : [{ sha256: Buffer.from(sha256OfFileKey(key), 'hex'), bytes: bytes ?? 1 }],
      ),
    );
    return { documents: ids.length, people };
  });
}

/** Returns the hashes of the files that these documents hold references to, one for each reference. */
export async function filesOf(tx: Tx, accountId: string, ids: readonly string[]): Promise<Buffer[]> {
  const rows = await tx.query<{ sha256: Buffer }>({
    name: 'files_of_documents',
    text: `select sha256 from document_files where account_id = $1 and document_id = any ($2::uuid[])
           union all
           select sha256 from document_parts where account_id = $1 and document_id = any ($2::uuid[])
           union all
           select sha256 from field_files where account_id = $1 and document_id = any ($2::uuid[])
           union all
           select held.sha256 from document_unlocks u
           cross join lateral (
             values (u.sha256), (u.rendered_sha256), (case when u.used_sha256 is not null then u.source_sha256 end)
           ) as held (sha256)
           where u.account_id = $1 and u.document_id = any ($2::uuid[]) and held.sha256 is not null`,
    values: [accountId, ids],
  });
  return rows.map(({ sha256 }) => sha256);
}

async function forgetImportedFiles(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase_imported_drive_files',
    text: `delete from imported_drive_files d using imported_files f
           where f.account_id = $1 and f.document_id = any ($2::uuid[]) and d.account_id = $1 and d.sha256 = f.sha256`,
    values: [accountId, ids],
  });
  await tx.query({
    name: 'erase_imported_files',
    text: 'delete from imported_files where account_id = $1 and document_id = any ($2::uuid[])',
    values: [accountId, ids],
  });
}

async function deleteOfRecipients(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  for (const table of tablesOfRecipients) {
    await tx.query({
      name: `erase_${table}`,
      text: `delete from ${table} t using recipients r
             where r.account_id = $1 and r.document_id = any ($2::uuid[]) and t.recipient_id = r.id`,
      values: [accountId, ids],
    });
  }
}
