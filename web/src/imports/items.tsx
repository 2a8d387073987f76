import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import type { Page } from '../api/list.ts';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { ItemFilter } from './item-filter.tsx';
import { ItemPager } from './item-pager.tsx';
import type { ItemSearch } from './item-search.ts';
import { ItemTable } from './item-table.tsx';
import { itemText } from './item-texts.ts';
import { renewMs } from './renew.ts';
import type { ImportView, ItemView } from './types.ts';
import { isSending } from './upload/uploads.ts';

const pageSize = 50;
/** How long a page stays in the cache after leaving it. Few of a hundred thousand files are viewed twice. */
const keptMs = 60_000;

/** The files of an import, page by page: all, or those with one outcome. */
export function Items({ of, search }: { of: ImportView; search: ItemSearch }) {
  const { id, status } = of;
  const { show, after, from = 0 } = search;
  const isRunning = status === 'running';
  const queryClient = useQueryClient();
  const { data, isPending, isPlaceholderData, error } = useQuery({
    ...itemsQuery(id, show, after),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      renewMs([], isRunning || isSending(id) || (state.data !== undefined && hasOpen(state.data))),
  });
  // Reads the list once more after the import has finished, for the last files.
  useEffect(() => {
    if (!isRunning) void queryClient.invalidateQueries({ queryKey: ['imports', 'items', id] });
  }, [isRunning, id, queryClient]);
  // Preloads the next page.
  const next = isPlaceholderData ? null : (data?.next_cursor ?? null);
  useEffect(() => {
    if (next !== null) void queryClient.prefetchQuery({ ...itemsQuery(id, show, next), staleTime: keptMs });
  }, [next, id, show, queryClient]);

  const items = data?.data ?? [];
  return (
    <section aria-labelledby="items" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="items" className="text-xl">
          {itemText.items}
        </h2>
        <ItemFilter of={of} show={show} />
      </div>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <ItemTable importId={id} items={items} isStale={isPlaceholderData} />}
      {!isPending && items.length === 0 && error === null && (
        <p className="mt-4 text-soft">{show === undefined && isRunning ? itemText.noneYet : nothing(search)}</p>
      )}
      <ItemPager of={of} search={search} shown={isPlaceholderData ? null : items.length} next={next} from={from} />
    </section>
  );
}

function nothing({ show }: ItemSearch): string {
  return show === undefined ? itemText.none : itemText.noneOf[show];
}

function itemsQuery(id: string, show: ItemSearch['show'], after: string | undefined) {
  return {
    queryKey: ['imports', 'items', id, show ?? 'all', after ?? ''],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get('/imports/:id/items', {
        params: { id },
        query: { limit: pageSize, status: show, starting_after: after },
        signal,
      }),
    gcTime: keptMs,
  };
}

function hasOpen({ data }: Page<ItemView>): boolean {
  return data.some(({ document_unlock }) => document_unlock?.status === 'pending');
}
