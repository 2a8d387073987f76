import type { Queryable } from '../postgres/database.ts';
import { linkContext } from './create-import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { RunningItem } from './import-file.ts';
import { storeFile } from './sources/cloud-files.ts';

/** An open item of an interrupted import, with what is needed to continue it. */
export interface OpenItem {
  id: string;
  index: number | null;
  name: string | null;
  drive_file_id: string | null;
  sealed_link: Buffer | null;
}

/* biome-ignore format: a table reads as a table */
const conditions = {
  open:                `status in ('queued', 'running')`,
  open_or_repeatable:  `(status in ('queued', 'running') or (status = 'failed' and reason in ('interrupted', 'storage_unavailable')))`,
};

export function listOpenItems(db: Queryable, importId: string, which: keyof typeof conditions): Promise<OpenItem[]> {
  return db.query<OpenItem>({
    name: `list_${which}_import_items`,
    text: `select id, index, name, drive_file_id, sealed_link from import_items
           where import_id = $1 and ${conditions[which]} order by id`,
    values: [importId],
  });
}

/**
 * Returns the items of a file store's import, ready to run. Their links are stored encrypted until each item ends. If a
 * link can't be decrypted because SECRET_KEY changed, its item ends as `interrupted`; repeating the request imports it.
 */
export function storeItems(deps: ImportDeps, open: readonly OpenItem[]): RunningItem[] {
  return open.map(({ id, name, sealed_link }) => {
    const url = sealed_link === null ? null : openLink(deps, id, sealed_link);
    if (url !== null) return { id, file: storeFile({ ...deps, clock: deps.world.clock }, { url, name }) };
    const content = { kind: 'fails', reason: 'interrupted' } as const;
    return { id, file: { name, declaredBytes: null, driveFileId: null, revision: null, content } };
  });
}

function openLink({ world, secretBox }: ImportDeps, id: string, sealedLink: Buffer): string | null {
  try {
    return secretBox.decrypt(sealedLink, linkContext(id));
  } catch (error) {
    world.log.error('the link of an import cannot be read', { item_id: id, error });
    return null;
  }
}
