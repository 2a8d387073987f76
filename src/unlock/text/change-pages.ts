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

/** One save of an editor's window. Windows send one at a time. */
export interface Save {
  /** A new UUID for each attempt. Null for callers that send none. */
  id: string | null;
  /** Ids of earlier saves of the same window whose answers were lost. They may have been carried out. */
  unanswered: readonly string[];
}

/** Changes by the same person within this time are audited once. */
const samePersonMs = 600_000;

/**
 * Changes pages of the locked document. Changes all of them or none. A page that was last changed by an unanswered save of the
 * same window is not in conflict: what the window sends now is later. A save that arrives late, after a newer one, is.
 *
 * @throws a `PageChangedMeanwhile` or a `TextTooLarge`
 */
export async function changePages(
  world: World,
  tx: Tx,
  { account_id, document_id, version: last }: Unlocked,
  personId: string,
  changes: readonly PageChange[],
  save: Save,
): Promise<ChangedPages> {
  const numbers = changes.map(({ page }) => page);
  const now = world.clock.now();
  const before = await readChanged(tx, document_id, numbers);
  for (const { page, version } of changes) {
    const { version: present, save_id: savedBy } = before.get(page) ?? { version: 0, save_id: null };
    const isOwn = savedBy !== null && save.unanswered.includes(savedBy);
    if (present !== version && !isOwn) throw new PageChangedMeanwhile(page);
  }
  const texts = changes.map(({ blocks }) => JSON.stringify(blocks));
  if (texts.some((text) => Buffer.byteLength(text) > pageBytesMax)) throw new TextTooLarge();
  const version = last + 1;
  await tx.query({
    name: 'change_unlocked_pages',
    text: `with counted as (update document_unlocks set version = $3 where document_id = $2)
           insert into unlocked_pages (document_id, account_id, page, version, blocks, changed_by, changed_at, save_id)
           select $2, $1, c.page, $3, c.blocks, $4, $5, $8 from unnest($6::int[], $7::text[]) as c (page, blocks)
           on conflict (document_id, page) do update
             set version = excluded.version, blocks = excluded.blocks, changed_by = excluded.changed_by,
               changed_at = excluded.changed_at, save_id = excluded.save_id`,
    values: [account_id, document_id, version, personId, now, numbers, texts, save.id],
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
  save_id: string | null;
}

async function readChanged(tx: Tx, documentId: string, pages: readonly number[]): Promise<Map<number, Changed>> {
  const rows = await tx.query<Changed>({
    name: 'read_changed_pages',
    text: `select page, version, changed_by, changed_at, save_id from unlocked_pages
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
