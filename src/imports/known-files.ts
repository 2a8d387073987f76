import type { Queryable, Tx } from '../postgres/database.ts';
import type { DriveRevision } from './sources/source-file.ts';

/** A file that was imported before, with its document. */
export interface KnownFile {
  documentId: string;
  sha256: Buffer;
  bytes: number;
  pages: number;
}

/** Finds an earlier import of the same drive file and revision, or else of the same bytes, in the account. */
export async function findKnownFile(
  db: Queryable,
  accountId: string,
  { revision, sha256 }: { revision: DriveRevision | null; sha256: Buffer | null },
): Promise<KnownFile | null> {
  const rows = await db.query<KnownFile>({
    name: 'find_known_file',
    text: `select f.document_id as "documentId", f.sha256, f.bytes, f.pages from imported_files f
           where f.account_id = $1 and f.sha256 = coalesce((
             select d.sha256 from imported_drive_files d
             where d.account_id = $1 and d.drive_file_id = $2 and d.revision = $3
           ), $4)`,
    values: [accountId, revision?.driveFileId ?? null, revision?.revision ?? null, sha256],
  });
  return rows[0] ?? null;
}

/** Returns the sizes of the files that links led to before, by the hash (hex) of the link. */
export async function findSizesOfLinks(
  db: Queryable,
  accountId: string,
  linkHashes: readonly Buffer[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ link: string; bytes: number }>({
    name: 'find_sizes_of_links',
    text: `select encode(link_sha256, 'hex') as link, bytes from imported_files
           where account_id = $1 and link_sha256 = any ($2::bytea[]) order by document_id`,
    values: [accountId, linkHashes],
  });
  return new Map(rows.map(({ link, bytes }) => [link, bytes]));
}

/** Records the link that led to a file, so that its next import needs no free storage. */
export async function rememberLink(tx: Tx, accountId: string, linkHash: Buffer, sha256: Buffer): Promise<void> {
  await tx.query({
    name: 'remember_link',
    text: `update imported_files set link_sha256 = $3
           where account_id = $1 and sha256 = $2 and link_sha256 is distinct from $3`,
    values: [accountId, sha256, linkHash],
  });
}

export async function rememberFile(tx: Tx, accountId: string, known: KnownFile): Promise<void> {
  await tx.query({
    name: 'remember_imported_file',
    text: 'insert into imported_files (account_id, sha256, document_id, bytes, pages) values ($1, $2, $3, $4, $5)',
    values: [accountId, known.sha256, known.documentId, known.bytes, known.pages],
  });
}

/** Records the revision's contents, so that its next import needs no download. */
export async function rememberRevision(
  tx: Tx,
  accountId: string,
  { driveFileId, revision }: DriveRevision,
  sha256: Buffer,
): Promise<void> {
  await tx.query({
    name: 'remember_drive_revision',
    text: `insert into imported_drive_files (account_id, drive_file_id, revision, sha256) values ($1, $2, $3, $4)
           on conflict do nothing`,
    values: [accountId, driveFileId, revision, sha256],
  });
}

/** Returns those of the revisions that were imported before, each as JSON. */
export async function findKnownRevisions(
  db: Queryable,
  accountId: string,
  revisions: readonly DriveRevision[],
): Promise<Set<string>> {
  const rows = await db.query<DriveRevision>({
    name: 'find_known_revisions',
    text: `select d.drive_file_id as "driveFileId", d.revision
           from unnest($2::text[], $3::text[]) as wanted (drive_file_id, revision)
           join imported_drive_files d on d.account_id = $1
             and d.drive_file_id = wanted.drive_file_id and d.revision = wanted.revision`,
    values: [accountId, revisions.map(({ driveFileId }) => driveFileId), revisions.map(({ revision }) => revision)],
  });
  return new Set(rows.map(({ driveFileId, revision }) => JSON.stringify({ driveFileId, revision })));
}
