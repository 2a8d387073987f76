import type { ReactNode } from 'react';
import { fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { ExportButton } from './export-button.tsx';
import { TabHead } from './tab-head.tsx';

export interface LogTexts {
  intro: string;
  exports: { csv: string; json: string };
  renew: string;
  emptyTitle: string;
  emptyText: string;
  nothingFound: string;
  searchedTo: string;
  further: string;
}

/** What `useList` returns of a log. A search that finds little stops early and says how far back it came. */
interface LogSource {
  items: readonly unknown[];
  isPending: boolean;
  error: Error | null;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  more: () => void;
  refetch: () => unknown;
  data?: { pages: readonly { searched_to: string | null }[] } | undefined;
}

interface LogListProps {
  texts: LogTexts;
  list: LogSource;
  /** The filters in the address. */
  search: Readonly<Record<string, string | undefined>>;
  /** The path of the export in the console's API. */
  exportPath: string;
  filters: ReactNode;
  /** The rows that have been read. */
  children: ReactNode;
}

/** The frame of a settings page that shows a log: exports, filters, and what is read further back. */
export function LogList({ texts, list, search, exportPath, filters, children }: LogListProps) {
  const { items, isPending, error, hasNextPage, isFetchingNextPage, isFetching } = list;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const searchedTo = list.data?.pages.at(-1)?.searched_to;
  return (
    <>
      <TabHead
        action={
          <div className="flex flex-wrap gap-2">
            <ExportButton path={exportPath} query={{ ...search, format: 'csv' }}>
              {texts.exports.csv}
            </ExportButton>
            <ExportButton path={exportPath} query={{ ...search, format: 'json' }}>
              {texts.exports.json}
            </ExportButton>
            <Button isBusy={isFetching && !isFetchingNextPage} onClick={() => void list.refetch()}>
              {texts.renew}
            </Button>
          </div>
        }
      >
        {texts.intro}
      </TabHead>
      {filters}
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && children}
      {!isPending && error === null && items.length === 0 && !isFiltered && (
        <EmptyState title={texts.emptyTitle}>
          <p>{texts.emptyText}</p>
        </EmptyState>
      )}
      <p role="status" className="mt-4 text-soft">
        {!isPending && items.length === 0 && isFiltered && !hasNextPage && texts.nothingFound}
        {searchedTo && fill(texts.searchedTo, { when: formatMoment(searchedTo) })}
      </p>
      {hasNextPage && (
        <Button className="mt-2 w-full" isBusy={isFetchingNextPage} onClick={list.more}>
          {searchedTo ? texts.further : uiText.more}
        </Button>
      )}
    </>
  );
}
