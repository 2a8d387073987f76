import { setTimeout as sleep } from 'node:timers/promises';
import { fileKey } from '../documents/stored-files.ts';
import type { FileStore } from '../platform/files.ts';
import { FileStoreError } from '../platform/files-error.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { exportStream } from '../unlock/text/export/export-pages.ts';
import { readText } from '../unlock/text/read-text.ts';
import type { ExportWriter } from './export-writer.ts';
import { readRows } from './read-rows.ts';

/** A stored file of a document, and its name in the archive. */
export interface ListedFile {
  document_id: string;
  /** `unlocked.json` is written from the text. The others are files as they are stored. */
  name:
    | 'original.pdf'
    | `part-${number}.pdf`
    | `upload-${string}`
    | 'before-editing.pdf'
    | 'edited.pdf'
    | 'sealed.pdf'
    | 'unlocked.json';
  /** SHA-256, hexadecimal. */
  sha256: string;
  /** The title, only for texts. */
  title: string | null;
}

/** Reads the stored files of all documents. They are copied after the snapshot, because the file store may be slow. */
export function listFiles(tx: Tx, accountId: string): AsyncGenerator<ListedFile[]> {
  const sql = `
    select d.id as document_id, held.name, held.sha256, held.title from documents d
    cross join lateral (
      select 'original.pdf' as name, encode(f.sha256, 'hex') as sha256, null as title, 1 as place
      from document_files f where f.document_id = d.id and f.account_id = $1
      union all
      select 'part-' || p.position || '.pdf', encode(p.sha256, 'hex'), null, 100 + p.position
      from document_parts p where p.document_id = d.id and p.account_id = $1
      union all
      select 'upload-' || (f.position + 1) || case u.media_type when 'image/png' then '.png' when 'image/jpeg' then '.jpg' else '.pdf' end,
        encode(u.sha256, 'hex'), null, 200 + f.position
      from field_files u join document_fields f on f.id = u.field_id
      where u.document_id = d.id and u.account_id = $1 and u.signed_at is not null
      union all
      select 'before-editing.pdf', encode(u.source_sha256, 'hex'), null, 2
      from document_unlocks u where u.document_id = d.id and u.account_id = $1 and u.used_sha256 is not null
      union all
      select 'edited.pdf', encode(u.rendered_sha256, 'hex'), null, 3
      from document_unlocks u where u.document_id = d.id and u.account_id = $1 and u.rendered_sha256 is not null
      union all
      select 'unlocked.json', encode(u.sha256, 'hex'), d.title, 4
      from document_unlocks u where u.document_id = d.id and u.account_id = $1 and u.status = 'unlocked' and u.sha256 is not null
      union all
      select 'sealed.pdf', replace(replace(d.sealed_file, 'sha256/', ''), '/', ''), null, 5 where d.sealed_file is not null
    ) held
    where d.account_id = $1 order by d.id, held.place`;
  return readRows<ListedFile>(tx, sql, accountId);
}

/** Returns the size of the files that a company's archive would have, in bytes. Files of early versions are not counted. */
export async function sumFiles(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>({
    name: 'sum_files_to_export',
    text: `select (
             coalesce((select sum(s.bytes) from documents d join document_files f on f.document_id = d.id and f.account_id = $1
               join stored_files s on s.sha256 = f.sha256 where d.account_id = $1), 0)
             + coalesce((select sum(s.bytes) from documents d join document_parts p on p.document_id = d.id and p.account_id = $1
               join stored_files s on s.sha256 = p.sha256 where d.account_id = $1), 0)
             + coalesce((select sum(s.bytes) from documents d join field_files u on u.document_id = d.id and u.account_id = $1
               join stored_files s on s.sha256 = u.sha256 where d.account_id = $1 and u.signed_at is not null), 0)
             + coalesce((select sum(f.bytes) from documents d join sealed_files f on f.document_id = d.id and f.account_id = $1
               and d.sealed_file = 'sha256/' || left(encode(f.sha256, 'hex'), 2) || '/' || substr(encode(f.sha256, 'hex'), 3)
               where d.account_id = $1 and d.sealed_file is not null), 0)
             + coalesce((select sum(s.bytes) from documents d join document_unlocks u on u.document_id = d.id and u.account_id = $1
               join stored_files s on s.sha256 in (u.source_sha256, u.rendered_sha256, u.sha256) where d.account_id = $1), 0)
           )::bigint as bytes`,
    values: [accountId],
  });
  return row?.bytes ?? 0;
}

const triesMax = 3;
const retryMs = 500;
/** After so many files in a row the store is unavailable, and the export must not go on without its files. */
const unreadableInARowMax = 10;

/** Copies stored files into the export. A file that is missing, damaged or unreadable is listed in the manifest. */
export function createFileCopier(
  { db, files, accountId }: { db: Database; files: FileStore; accountId: string },
  writer: ExportWriter,
  signal: AbortSignal,
): (file: ListedFile) => Promise<void> {
  let unreadableInARow = 0;

  return async (file) => {
    const path = `files/${file.document_id}/${file.name}`;
    const problem = await copyWithRetries(file, path);
    if (problem === null || problem.kind !== 'unreadable') unreadableInARow = 0;
    else unreadableInARow += 1;
    if (problem === null) return;
    if (unreadableInARow > unreadableInARowMax) throw problem.error;
    await writer.miss({ path, document_id: file.document_id, problem: problem.kind });
  };

  async function copyWithRetries(file: ListedFile, path: string) {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      try {
        return (await copy(file, path)) ? null : ({ kind: 'missing' } as const);
      } catch (error) {
        if (error instanceof Damaged) return { kind: 'damaged' } as const;
        if (!(error instanceof FileStoreError || error instanceof SyntaxError)) throw error;
        if (tries === triesMax) return { kind: 'unreadable', error } as const;
        await sleep(retryMs, undefined, { signal });
      }
    }
  }

  /** Returns false when the store has no such file. */
  async function copy(file: ListedFile, path: string): Promise<boolean> {
    const key = fileKey(file.sha256);
    if (file.name === 'unlocked.json') {
      if (!(await files.has(key))) return false;
      const text = { document_id: file.document_id, account_id: accountId, sha256: Buffer.from(file.sha256, 'hex') };
      await writer.add(path, exportStream('json', file.title ?? '', readText(db, files, text)), { compress: true });
      return true;
    }
    const stored = await files.get(key);
    if (stored === null) return false;
    try {
      await writer.add(path, stored.stream, {
        compress: false,
        check: (sha256) => {
          if (sha256 !== file.sha256) throw new Damaged();
        },
      });
    } finally {
      stored.stream.destroy();
    }
    return true;
  }
}

/** The bytes in the store are not those that were stored. They are left out, so that nobody takes them for the document. */
class Damaged extends Error {}
