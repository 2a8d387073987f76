import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { type AnswerOf, api, type OptionsOf, type PathOf, type QueryValues } from './client.ts';

/** A page of a list, as all lists of the console API answer (src/http/page-request.ts). */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** The paths that answer a page of a list. */
export type ListPath = {
  [Path in PathOf<'GET'>]: AnswerOf<'GET', Path> extends Page<unknown> ? Path : never;
}[PathOf<'GET'>];
export type PageOf<Path extends ListPath> = AnswerOf<'GET', Path> & Page<unknown>;

/** An item of a list, such as `ItemOf<'/keys'>`. */
export type ItemOf<Path extends ListPath> = PageOf<Path>['data'][number];

export interface ListOptions<OnePage> {
  query?: QueryValues;
  limit?: number;
  /** The cursor to begin after. The list begins at its start without one. */
  after?: string | null;
  isEnabled?: boolean;
  /** The interval at which all pages are read again, in milliseconds. */
  renewMs?: (pages: readonly OnePage[]) => number | false;
}

/**
 * Reads a list page by page. `items` are the items so far, and `more` reads the next page. Keys begin with the noun
 * (`['documents', …]`), so that live updates can refresh them.
 */
export function useList<Path extends ListPath>(
  key: QueryKey,
  path: Path,
  ...[options]: OptionsOf<Path, ListOptions<PageOf<Path>>>
) {
  const {
    query: filter,
    limit = 50,
    after = null,
    isEnabled = true,
    renewMs,
    ...rest
  }: ListOptions<PageOf<Path>> = options ?? {};
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const wanted = { ...rest, query: { ...filter, limit, starting_after: pageParam ?? undefined }, signal };
      return api.get<Path>(path, ...([wanted] as unknown as OptionsOf<Path, object>)) as Promise<PageOf<Path>>;
    },
    initialPageParam: after,
    getNextPageParam: (last) => last.next_cursor,
    enabled: isEnabled,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => renewMs?.(state.data?.pages ?? []) ?? false,
  });
  return {
    ...query,
    items: (query.data?.pages.flatMap(({ data }) => data) ?? []) as PageOf<Path>['data'],
    more: async () => {
      // A refresh in progress comes first: the next page would cancel it, and what has changed would not be shown.
      if (query.isRefetching) await query.refetch({ cancelRefetch: false });
      await query.fetchNextPage({ cancelRefetch: false });
    },
  };
}
