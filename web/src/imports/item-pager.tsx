import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { fill, formatNumber } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { countOf } from './item-filter.tsx';
import type { ItemSearch } from './item-search.ts';
import { itemText } from './item-texts.ts';
import type { ImportView } from './types.ts';

interface ItemPagerProps {
  of: ImportView;
  search: ItemSearch;
  /** The number of files on this page (null while loading) and before it. */
  shown: number | null;
  from: number;
  next: string | null;
}

/**
 * Links to the next and previous page. Cursors only go forward, so "previous" is the browser's back button. On a page that
 * was opened by its address it leads to the first page.
 */
export function ItemPager({ of, search, shown, from, next }: ItemPagerProps) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const wasPaged = useRouterState({ select: ({ location }) => location.state.paged === true });
  const { show, after } = search;
  if (after === undefined && next === null) return null;
  const to = { to: '/imports/$id', params: { id: of.id } } as const;
  const kept = show === undefined ? {} : { show };
  const goOn = () =>
    navigate({ ...to, search: { ...kept, after: next ?? '', from: from + (shown ?? 0) }, state: { paged: true } });
  const goBack = () => (wasPaged ? history.back() : void navigate({ ...to, search: kept }));
  return (
    <nav aria-label={itemText.pager} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-soft tabular-nums">
        {shown !== null && rangeOf(from, shown, countOf(of, show))}
      </p>
      <div className="flex gap-3">
        <Button disabled={after === undefined} onClick={goBack}>
          {wasPaged || after === undefined ? itemText.previous : itemText.toStart}
        </Button>
        <Button disabled={next === null} onClick={() => void goOn()}>
          {itemText.next}
        </Button>
      </div>
    </nav>
  );
}

function rangeOf(from: number, shown: number, all: number): string {
  return fill(itemText.range, {
    from: formatNumber(shown === 0 ? from : from + 1),
    to: formatNumber(from + shown),
    all: formatNumber(all),
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether it was opened from the previous page. */
    paged?: true;
  }
}
