import { firstIdAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import { type Batch, batchMax } from './retained-data.ts';

const firstId = '00000000-0000-0000-0000-000000000000';

export interface Walk {
  name: string;
  /**
   * Looks at rows with ids from after $1 to before $2, $3 at most, and removes those that are older than $4. Returns one row:
   * `ended_at`, the last id it looked at, and how many rows it `looked` at and `removed`.
   */
  text: string;
}

/**
 * Walks through a table in the order of its ids, which is the order of time, and needs no other index. Rows that have to stay
 * are passed: the next batch continues after them, also in the next run. At the end the walk begins again.
 */
export function createWalk(db: Queryable, { name, text }: Walk): (before: Date) => Promise<Batch> {
  let after = firstId;
  return async (before) => {
    const [step] = await db.query<{ ended_at: string | null; looked: number; removed: number }>({
      name,
      text,
      values: [after, firstIdAt(before), batchMax, before],
    });
    const { ended_at = null, looked = 0, removed = 0 } = step ?? {};
    const isLast = looked < batchMax || ended_at === null;
    after = isLast ? firstId : ended_at;
    return { removed, isLast };
  };
}
