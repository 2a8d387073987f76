import type { Queryable } from '../postgres/database.ts';
import { repeatableReasons } from './import.ts';

/** An open item of an interrupted import, with what is needed to continue it. */
export interface OpenItem {
  id: string;
  status: 'queued' | 'running' | 'failed';
  index: number | null;
  name: string | null;
  drive_file_id: string | null;
  sealed_link: Buffer | null;
}

/** The condition of failed items that a repeated request tries again. */
export const repeatableCondition = `status = 'failed' and reason in (${repeatableReasons.map((reason) => `'${reason}'`).join(', ')})`;

/* biome-ignore format: a table reads as a table */
const conditions = {
  open:                `status in ('queued', 'running')`,
  open_or_repeatable:  `(status in ('queued', 'running') or (${repeatableCondition}))`,
};

export function listOpenItems(db: Queryable, importId: string, which: keyof typeof conditions): Promise<OpenItem[]> {
  return db.query<OpenItem>({
    name: `list_${which}_import_items`,
    text: `select id, status, index, name, drive_file_id, sealed_link from import_items
           where import_id = $1 and ${conditions[which]} order by id`,
    values: [importId],
  });
}
