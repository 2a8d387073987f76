import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** A page of a list, as all lists of the console API answer (src/http/page-request.ts). */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

type Renewal<Item> = (pages: readonly Page<Item>[]) => number | false;

/**
 * Reads a list page by page. `items` are the items so far, and `more` reads the next page. `path` may have a query.
 * `renewMs`: the interval at which all pages are read again. Keys begin with the noun (`['documents', …]`), so that live
 * updates can refresh them.
 */
export function useList<Item>(key: QueryKey, path: string, limit = 50, renewMs?: Renewal<Item>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => api.get<Page<Item>>(withPage(path, limit, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => renewMs?.(state.data?.pages ?? []) ?? false,
  });
  return {
    ...query,
    items: query.data?.pages.flatMap(({ data }) => data) ?? [],
    more: () => void query.fetchNextPage(),
  };
}

function withPage(path: string, limit: number, after: string | null): string {
  const [route = '', search = ''] = path.split('?');
  const params = new URLSearchParams(search);
  params.set('limit', String(limit));
  if (after !== null) params.set('starting_after', after);
  return `${route}?${params}`;
}
