import { fileKey } from '../../documents/stored-files.ts';
import type { FileStore } from '../../platform/files.ts';
import { missing } from '../../platform/with-local-file.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Block, UnlockedPage } from '../blocks.ts';
import { readPage, readPages } from './export/read-pages.ts';
import type { Unlocked } from './find-unlocked.ts';

/** The current version of a page. */
export interface TextPage extends UnlockedPage {
  /** A change must be based on this version. 0 for a page that was not changed. */
  version: number;
  /** Distinguishes this text from the text of another file of the document. */
  base: string;
}

type Which = Pick<Unlocked, 'account_id' | 'document_id' | 'sha256'>;

/** Reads the current text of an unlocked document, page by page. Throws a `FileStoreError`. */
export async function* readText(db: Queryable, files: FileStore, unlocked: Which): AsyncGenerator<UnlockedPage> {
  const changed = new Set(await listChangedPages(db, unlocked));
  for await (const page of readPages(await open(files, unlocked))) {
    const change = changed.has(page.page) ? await findChange(db, unlocked, page.page) : null;
    yield change === null ? page : { ...page, blocks: change.blocks };
  }
}

/** Reads one page, counted from 1. Null when there is no such page. Throws a `FileStoreError`. */
export async function readTextPage(
  db: Queryable,
  files: FileStore,
  unlocked: Which,
  number: number,
): Promise<TextPage | null> {
  const change = await findChange(db, unlocked, number);
  const page = await readPage(await open(files, unlocked), number);
  if (page === null) return null;
  const { version = 0, blocks = page.blocks } = change ?? {};
  return { ...page, blocks, version, base: baseOf(unlocked) };
}

export function baseOf({ sha256 }: Pick<Unlocked, 'sha256'>): string {
  return sha256.toString('hex', 0, 8);
}

/** Returns the numbers of the changed pages. */
export async function listChangedPages(db: Queryable, { account_id, document_id }: Which): Promise<number[]> {
  const rows = await db.query<{ page: number }>({
    name: 'list_changed_pages',
    text: 'select page from unlocked_pages where account_id = $1 and document_id = $2 order by page',
    values: [account_id, document_id],
  });
  return rows.map(({ page }) => page);
}

async function open(files: FileStore, { sha256 }: Which) {
  const key = fileKey(sha256.toString('hex'));
  const file = await files.get(key);
  if (file === null) throw missing(key);
  return file.stream;
}

async function findChange(db: Queryable, { account_id, document_id }: Which, page: number) {
  const [row] = await db.query<{ version: number; blocks: string }>({
    name: 'find_changed_page',
    text: 'select version, blocks from unlocked_pages where account_id = $1 and document_id = $2 and page = $3',
    values: [account_id, document_id, page],
  });
  return row === undefined ? null : { version: row.version, blocks: JSON.parse(row.blocks) as Block[] };
}
