import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Page, useList } from '../api/list.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { ItemTable } from './item-table.tsx';
import { itemText } from './item-texts.ts';
import { renewMs } from './renew.ts';
import type { ImportView, ItemView } from './types.ts';

const pageSize = 50;

/** The files of an import. Those that did not land can be looked at alone: among thousands they are few. */
export function Items({ of, which }: { of: ImportView; which: 'all' | 'failed' }) {
  const { id, status, failed } = of;
  const isRunning = status === 'running';
  const path = `/imports/${id}/items${which === 'failed' ? '?status=failed' : ''}`;
  const renews = (pages: readonly Page<ItemView>[]) => renewMs(pages, isRunning || pages.some(hasOpen));
  const list = useList<ItemView>(['imports', 'items', id, which], path, pageSize, renews);
  const { items, hasNextPage, isFetchingNextPage, isPending, error, more } = list;
  const queryClient = useQueryClient();
  // What came in last was not in the list yet when the import was seen to be finished.
  useEffect(() => {
    if (!isRunning) void queryClient.invalidateQueries({ queryKey: ['imports', 'items', id] });
  }, [isRunning, id, queryClient]);
  return (
    <section aria-labelledby="items" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="items" className="text-xl">
          {itemText.items}
        </h2>
        {(failed > 0 || which === 'failed') && <Filter id={id} which={which} />}
      </div>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <ItemTable items={items} />}
      {!isPending && items.length === 0 && error === null && (
        <p className="mt-4 text-soft">
          {which === 'failed' ? itemText.noneFailed : isRunning ? itemText.noneYet : itemText.none}
        </p>
      )}
      {hasNextPage && (
        <Button className="mt-4 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {uiText.more}
        </Button>
      )}
    </section>
  );
}

function hasOpen({ data }: Page<ItemView>): boolean {
  return data.some(({ unlock }) => unlock?.status === 'pending');
}

function Filter({ id, which }: { id: string; which: 'all' | 'failed' }) {
  const choice = 'rounded-lg px-3 py-1.5 text-sm font-semibold text-soft hover:text-ink max-lg:py-2.5';
  const chosen = 'bg-accent-wash text-accent hover:text-accent';
  return (
    <nav aria-label={itemText.which} className="flex gap-1">
      <Link
        to="/imports/$id"
        params={{ id }}
        search={{}}
        aria-current={which === 'all' ? 'true' : undefined}
        className={`${choice} ${which === 'all' ? chosen : ''}`}
      >
        {itemText.all}
      </Link>
      <Link
        to="/imports/$id"
        params={{ id }}
        search={{ show: 'failed' }}
        aria-current={which === 'failed' ? 'true' : undefined}
        className={`${choice} ${which === 'failed' ? chosen : ''}`}
      >
        {itemText.failedOnly}
      </Link>
    </nav>
  );
}
