import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import type { Block } from '../blocks.ts';
import type { Unlocked } from './find-unlocked.ts';

/** The new blocks of a page, based on this version of the page. */
export interface PageChange {
  page: number;
  version: number;
  blocks: readonly Block[];
}

/** Maximum size of the changed pages of a document, as JSON in UTF-8. */
const textBytesMax = 64 * 2 ** 20;
const pageBytesMax = 4 * 2 ** 20;

/** Thrown when someone else has changed the page since it was read. */
export class PageChangedMeanwhile extends Error {
  readonly page: number;

  constructor(page: number) {
    super(`page ${page} was changed meanwhile`);
    this.page = page;
  }
}

/** Thrown when a page or a document would have too much text. */
export class TextTooLarge extends Error {}

export interface ChangedPages {
  version: number;
  /** The changed pages without those that the same person changed shortly before. Only these are audited. */
  toAudit: number[];
}

/** Changes by the same person within this time are audited once. */
const samePersonMs = 600_000;

/** Changes pages of the locked document. Changes all of them or none. */
export async function changePages(
  world: World,
  tx: Tx,
  { account_id, document_id, version: last }: Unlocked,
  personId: string,
  changes: readonly PageChange[],
): Promise<ChangedPages> {
  const numbers = changes.map(({ page }) => page);
  const now = world.clock.now();
  const before = await readChanged(tx, document_id, numbers);
  for (const { page, version } of changes) {
    if ((before.get(page)?.version ?? 0) !== version) throw new PageChangedMeanwhile(page);
  }
  const texts = changes.map(({ blocks }) => JSON.stringify(blocks));
  if (texts.some((text) => Buffer.byteLength(text) > pageBytesMax)) throw new TextTooLarge();
  const version = last + 1;
  await tx.query({
    name: 'change_unlocked_pages',
    text: `with counted as (update document_unlocks set version = $3 where document_id = $2)
           insert into unlocked_pages (document_id, account_id, page, version, blocks, changed_by, changed_at)
           select $2, $1, c.page, $3, c.blocks, $4, $5 from unnest($6::int[], $7::text[]) as c (page, blocks)
           on conflict (document_id, page) do update
             set version = excluded.version, blocks = excluded.blocks, changed_by = excluded.changed_by,
               changed_at = excluded.changed_at`,
    values: [account_id, document_id, version, personId, now, numbers, texts],
  });
  await assertRoom(tx, document_id);
  const isRecent = (page: number) => {
    const earlier = before.get(page);
    const since = earlier === undefined ? samePersonMs : now.getTime() - new Date(earlier.changed_at).getTime();
    return earlier?.changed_by === personId && since < samePersonMs;
  };
  return { version, toAudit: numbers.filter((page) => !isRecent(page)) };
}

interface Changed {
  page: number;
  version: number;
  changed_by: string | null;
  changed_at: Timestamp;
}

async function readChanged(tx: Tx, documentId: string, pages: readonly number[]): Promise<Map<number, Changed>> {
  const rows = await tx.query<Changed>({
    name: 'read_changed_pages',
    text: `select page, version, changed_by, changed_at from unlocked_pages
           where document_id = $1 and page = any ($2::int[])`,
    values: [documentId, pages],
  });
  return new Map(rows.map((row) => [row.page, row]));
}

async function assertRoom(tx: Tx, documentId: string): Promise<void> {
  const [all] = await tx.query<{ bytes: number }>({
    name: 'measure_unlocked_pages',
    text: 'select coalesce(sum(octet_length(blocks)), 0)::bigint as bytes from unlocked_pages where document_id = $1',
    values: [documentId],
  });
  if ((all?.bytes ?? 0) > textBytesMax) throw new TextTooLarge();
}
