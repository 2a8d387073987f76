import type { ByteRange } from '../pdf/reading/find-seals.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { SealedPdf } from '../sealing/jobs.ts';
import { renewalTime } from '../sealing/renewal-time.ts';
import { fileKey } from './stored-files.ts';

/** Finds the files that this service has sealed. */
export interface SealedFiles {
  /** Returns the sealed files with one of these SHA-256 hashes (hex). */
  find(sha256s: readonly string[]): Promise<SealedFile[]>;
  /**
   * Returns whether the document has a recorded file with the same signed bytes (`signedDigest`, hex). Returns true for a
   * document sealed before digests were recorded. Returns false for the first file of a document that was sealed again after
   * a restore, although both files are genuine.
   */
  hasSigned(documentId: string, signedDigest: string): Promise<boolean>;
}

export interface SealedFile {
  sha256: string;
  /** The bytes that the seal covers. Null: the file was sealed before this was recorded. */
  range: ByteRange | null;
}

/** Records the hashes of a sealed file. Runs in the transaction that marks the document as sealed. */
export async function recordSealedFile(
  tx: Tx,
  document: { id: string; account_id: string },
  { sha256, bytes, byteRange, signedDigest, stamp }: SealedPdf,
): Promise<void> {
  await tx.query({
    name: 'record_sealed_file',
    text: `insert into sealed_files (account_id, document_id, version, sha256, bytes, byte_range, signed_digest, stamped_until, renew_at)
           values ($1, $2, 1, $3, $4, $5, $6, $7, $8)`,
    values: [
      document.account_id,
      document.id,
      Buffer.from(sha256, 'hex'),
      bytes,
      byteRange,
      Buffer.from(signedDigest, 'hex'),
      stamp?.until ?? null,
      stamp && renewalTime(stamp),
    ],
  });
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Creates `SealedFiles`. Leaves out documents completed at a vendor, because their files were sealed elsewhere. */
export function createSealedFiles(db: Queryable): SealedFiles {
  return {
    async find(sha256s) {
      const keys = new Map(sha256s.map((sha256) => [fileKey(sha256), sha256]));
      const rows = await db.query<{ key: string; range: Array<number | string> | null }>({
        name: 'find_sealed_files',
        // The second half finds earlier versions of files, and files that were erased here: a copy of one is genuine still.
        text: `select d.sealed_file as key, f.byte_range as range
               from documents d left join sealed_files f on f.account_id = d.account_id and f.document_id = d.id and f.version = 1
               where d.sealed_file = any($1::text[]) and not d.is_migrated
               union
               select 'sha256/' || left(encode(f.sha256, 'hex'), 2) || '/' || substr(encode(f.sha256, 'hex'), 3), f.byte_range
               from sealed_files f join documents d on d.account_id = f.account_id and d.id = f.document_id
               where f.sha256 = any($2::bytea[]) and not d.is_migrated`,
        values: [[...keys.keys()], sha256s.map((sha256) => Buffer.from(sha256, 'hex'))],
      });
      return rows.map(({ key, range }) => ({
        sha256: keys.get(key) ?? '',
        range: range === null ? null : (range.map(Number) as unknown as ByteRange),
      }));
    },

    async hasSigned(documentId, signedDigest) {
      if (!isUuid.test(documentId)) return false;
      const rows = await db.query({
        name: 'find_signed_bytes',
        text: `select from documents d left join sealed_files f on f.account_id = d.account_id and f.document_id = d.id and f.version = 1
               where d.id = $1 and d.sealed_at is not null and not d.is_migrated
                 and (f.signed_digest is null or f.signed_digest = $2)`,
        values: [documentId, Buffer.from(signedDigest, 'hex')],
      });
      return rows.length > 0;
    },
  };
}
