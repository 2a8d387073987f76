import type { List } from '../../../packages/client/src/index.ts';

/** Largest page of a list. */
const pageMax = 100;

/** Reads up to `limit` items of a list. Reads no page that isn't needed. */
export async function takeAtMost<T>(limit: number, open: (pageSize: number) => List<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const { data } of open(Math.min(limit, pageMax)).pages()) {
    taken.push(...data);
    if (taken.length >= limit) break;
  }
  return taken.slice(0, limit);
}
