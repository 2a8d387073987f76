import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useList } from '../api/list.ts';
import { count } from '../language.ts';
import { BackLink } from '../ui/back-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { DocumentFilters } from './document-filters.tsx';
import { DocumentPager } from './document-pager.tsx';
import { type DocumentSearch, exportQuery, filterQuery, filtersOf, readDocumentSearch } from './document-search.ts';
import { DocumentTable } from './document-table.tsx';
import { FolderNote } from './folder-choice.tsx';
import { folderListText } from './folder-list-texts.ts';
import { folderText } from './folder-texts.ts';
import { SavedViews } from './saved-views.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StatusFilter } from './status-filter.tsx';
import { documentsText } from './texts.ts';
import { type Folder, useFolders } from './use-folders.ts';
import { reviewsShownMax, useReviews } from './use-reviews.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/documents');
const pageSize = 50;

export function ListPage() {
  const search = readDocumentSearch(route.useSearch());
  const { sort = 'newest', columns = '', after } = search;
  const query = filterQuery(search);
  const senders = columns.split(',').includes('sender') ? { senders: 'yes' } : {};
  const list = useList(['documents', 'list', query, sort, senders, after], '/documents', {
    query: { ...query, ...senders, ...(sort === 'newest' ? {} : { sort }) },
    limit: pageSize,
    after: after ?? null,
  });
  const { data, items, hasNextPage, isFetching, isFetchingNextPage, isPending, isPlaceholderData, error, more } = list;
  const selection = useSelection(items, JSON.stringify(query));
  const isFiltered = Object.keys(filtersOf(search)).length > 0;
  const folder = useFolders()?.find(({ id }) => id === search.folder);

  // A request reads a limited number of documents, also those that are filtered out or in folders of others. If a page is short,
  // the next one loads automatically, after a refresh in progress.
  const isShort = hasNextPage && error === null && items.length < pageSize;
  const goesOn = isShort && !isFetching;
  useEffect(() => {
    if (goesOn) more();
  }, [goesOn, more]);

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 wrap-anywhere">
          {search.folder !== undefined && (
            <BackLink to="/documents" search={{}}>
              {documentsText.title}
            </BackLink>
          )}
          <PageTitle>{headingOf(search.folder, folder)}</PageTitle>
        </div>
        <div className="flex flex-wrap justify-end gap-3 max-sm:order-1 max-sm:w-full">
          {items.length > 0 && (
            <DownloadLink path="/documents/export" query={exportQuery(search)} className={buttonClass()}>
              {documentsText.export}
            </DownloadLink>
          )}
          <SavedViews search={search} />
        </div>
        {folder?.can_edit !== false && (
          <Link
            to="/documents/new"
            search={folder === undefined ? {} : { folder: folder.id }}
            className={buttonClass('primary')}
          >
            <Icon name="plus" size={16} />
            {documentsText.new}
          </Link>
        )}
      </div>
      <FolderNote folder={search.folder} />
      <DocumentFilters search={search} />
      <StatusFilter search={search} />
      {search.status !== 'in_review' && <Reviews />}
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-6 text-soft">{uiText.loading}</p>}
      {(items.length > 0 || selection.selected.size > 0) && <SelectionBar selection={selection} />}
      {items.length > 0 && (
        <DocumentTable documents={items} isStale={isPlaceholderData} selection={selection} columns={columns} />
      )}
      {!isPending &&
        items.length === 0 &&
        error === null &&
        !hasNextPage &&
        (isFiltered || after !== undefined ? <NothingFound search={search} folder={folder} /> : <FirstDocument />)}
      <p role="status" className="mt-4 text-soft">
        {isShort || isFetchingNextPage ? documentsText.searching : ''}
      </p>
      {!goesOn && <DocumentPager after={after} next={data?.pages.at(-1)?.next_cursor ?? null} />}
    </>
  );
}

function headingOf(asked: string | undefined, folder: Folder | undefined): string {
  return folder?.name ?? (asked === 'none' ? folderText.none : documentsText.title);
}

/** Link to the documents in review, for owners and admins. */
function Reviews() {
  const waiting = useReviews();
  if (waiting === 0) return null;
  return (
    <p className="mt-4">
      <Link to="/documents" search={{ status: 'in_review' }} className="font-medium text-accent underline">
        {waiting > reviewsShownMax ? documentsText.manyReviews : count(waiting, documentsText.reviews)}
      </Link>
    </p>
  );
}

function NothingFound({ search, folder }: { search: DocumentSearch; folder: Folder | undefined }) {
  if (folder !== undefined && Object.keys(filtersOf(search)).length === 1) {
    return (
      <EmptyState title={folderListText.empty}>
        <p className="text-soft">{folder.can_edit ? folderListText.emptyText : folderListText.emptyTextReadOnly}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={documentsText.nothingFound}>
      <p className="text-soft">{documentsText.nothingFoundText}</p>
      <p>
        <Link to="/documents" search={{}} className="font-semibold text-accent underline">
          {documentsText.clear}
        </Link>
      </p>
    </EmptyState>
  );
}

function FirstDocument() {
  const request = `curl ${location.origin}/api/v1/documents \\
  -H "Authorization: Bearer svc_live_…" \\
  -d '{
    "title": "Roof repair",
    "recipients": [{ "name": "Ada Lovelace", "email": "ada@example.com" }]
  }'`;
  return (
    <EmptyState title={documentsText.emptyTitle}>
      <p>{documentsText.emptyText}</p>
      <p>
        <Link to="/documents/new" className={buttonClass('primary')}>
          <Icon name="plus" size={16} />
          {documentsText.new}
        </Link>
      </p>
      <div className="mt-3 grid gap-2 border-t border-rule pt-4 text-sm text-soft">
        <h3 className="font-semibold">{documentsText.emptyApi}</h3>
        <CodeBlock code={request} name={documentsText.request} />
        <p>
          {documentsText.emptyKey}{' '}
          <Link to="/settings" className="text-accent underline">
            {documentsText.keys}
          </Link>
          .
        </p>
      </div>
    </EmptyState>
  );
}
