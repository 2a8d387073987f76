import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OptionsOf } from './client.ts';
import { type ListOptions, type ListPath, type PageOf, useList } from './list.ts';

/** Reads all pages of a list, one after another, up to an error. `isReading`: whether more items may follow. */
export function useWholeList<Path extends ListPath>(
  key: QueryKey,
  path: Path,
  ...options: OptionsOf<Path, ListOptions<PageOf<Path>>>
) {
  const list = useList(key, path, ...options);
  const { hasNextPage, isFetching, error, fetchNextPage } = list;
  const continues = hasNextPage && !isFetching && error === null;
  useEffect(() => {
    if (continues) void fetchNextPage();
  }, [continues, fetchNextPage]);
  return { ...list, isReading: isFetching || continues };
}
