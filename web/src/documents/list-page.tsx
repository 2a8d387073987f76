import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useList } from '../api/list.ts';
import { count } from '../language.ts';
import { buttonClass } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { controlClass } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { statusNames } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { useTyped } from '../ui/use-typed.ts';
import { DocumentPager } from './document-pager.tsx';
import type { DocumentSearch } from './document-search.ts';
import { DocumentTable } from './document-table.tsx';
import { documentsText } from './texts.ts';
import type { DocumentStatus } from './types.ts';
import { reviewsShownMax, useReviews } from './use-reviews.ts';

const route = getRouteApi('/documents');
const pageSize = 50;

export function ListPage() {
  const { q = '', status = '', after } = route.useSearch();
  const list = useList(['documents', 'list', q, status, after], '/documents', {
    query: { q, status },
    limit: pageSize,
    after: after ?? null,
  });
  const { data, items, hasNextPage, isFetchingNextPage, isPending, isPlaceholderData, error, more } = list;
  const isFiltered = q !== '' || status !== '';

  // A search reads a limited number of documents at a time. If a page is short, the next one loads automatically.
  const goesOn = q !== '' && hasNextPage && !isFetchingNextPage && error === null && items.length < pageSize;
  useEffect(() => {
    if (goesOn) more();
  }, [goesOn, more]);

  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <PageTitle>{documentsText.title}</PageTitle>
        <Link to="/documents/new" className={buttonClass('primary')}>
          <Icon name="plus" size={16} />
          {documentsText.new}
        </Link>
      </div>
      <Filters q={q} status={status} />
      {status !== 'in_review' && <Reviews />}
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-6 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <DocumentTable documents={items} isStale={isPlaceholderData} />}
      {!isPending &&
        items.length === 0 &&
        error === null &&
        !hasNextPage &&
        (isFiltered || after !== undefined ? <NothingFound /> : <FirstDocument />)}
      <p role="status" className="mt-4 text-soft">
        {goesOn || (isFetchingNextPage && q !== '') ? documentsText.searching : ''}
      </p>
      {!goesOn && <DocumentPager after={after} next={data?.pages.at(-1)?.next_cursor ?? null} />}
    </>
  );
}

function Filters({ q, status }: { q: string; status: string }) {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTyped(q, (words) => {
    void navigate({ search: (before) => withValue(before, 'q', words), replace: true });
  });
  return (
    <search className="mt-4 grid gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <input
        type="search"
        aria-label={documentsText.search}
        placeholder={documentsText.search}
        className={controlClass}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
      <select
        aria-label={documentsText.status}
        className={controlClass}
        value={status}
        onChange={(event) => {
          const { value } = event.target;
          void navigate({ search: (before) => withValue(before, 'status', value) });
        }}
      >
        <option value="">{documentsText.everyStatus}</option>
        {(Object.keys(statusNames) as DocumentStatus[]).map((name) => (
          <option key={name} value={name}>
            {statusNames[name]}
          </option>
        ))}
      </select>
    </search>
  );
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

/** Changes a filter. The list then begins with its first page. */
function withValue(search: DocumentSearch, name: 'q' | 'status', value: string): DocumentSearch {
  const { [name]: _replaced, after: _page, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}

function NothingFound() {
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
      <CodeBlock code={request} name={documentsText.request} />
      <p className="text-soft">
        {documentsText.emptyKey}{' '}
        <Link to="/settings" className="text-accent underline">
          {documentsText.keys}
        </Link>
        .
      </p>
    </EmptyState>
  );
}
