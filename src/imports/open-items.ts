import type { Queryable } from '../postgres/database.ts';
import { linkContext } from './create-import.ts';
import type { RunningItem } from './import-file.ts';
import type { ImportMeans } from './import-means.ts';
import { storeFile } from './sources/cloud-files.ts';

/** An item that its process left behind, with what is needed to go on. */
export interface OpenItem {
  id: string;
  name: string | null;
  drive_file_id: string | null;
  sealed_link: Buffer | null;
}

/* biome-ignore format: a table reads as a table */
const conditions = {
  open:                `status in ('queued', 'running')`,
  open_or_interrupted: `(status in ('queued', 'running') or (status = 'failed' and reason = 'interrupted'))`,
};

export function listOpenItems(db: Queryable, importId: string, which: keyof typeof conditions): Promise<OpenItem[]> {
  return db.query<OpenItem>({
    name: `list_${which}_import_items`,
    text: `select id, name, drive_file_id, sealed_link from import_items
           where import_id = $1 and ${conditions[which]} order by id`,
    values: [importId],
  });
}

/** The items of a file store's import: their links are kept, encrypted, until each has ended. */
export function storeItems(means: ImportMeans, open: readonly OpenItem[]): RunningItem[] {
  return open.map(({ id, name, sealed_link }) => {
    if (sealed_link === null) throw new Error(`the import item ${id} has no link`);
    const url = means.secretBox.open(sealed_link, linkContext(id));
    return { id, file: storeFile({ ...means, clock: means.world.clock }, { url, name }) };
  });
}
