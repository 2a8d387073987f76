import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AnswerOf, api } from '../api/client.ts';
import { fill, formatNumber } from '../language.ts';
import { statusNames } from '../ui/status-badge.tsx';
import { type DocumentSearch, filterQuery, withValue } from './document-search.ts';
import { documentsText } from './texts.ts';
import type { DocumentStatus } from './types.ts';

type Counts = AnswerOf<'GET', '/documents/counts'>['statuses'];

/** Links to each status, with the number of documents that match the other filters. Statuses without documents are hidden. */
export function StatusFilter({ search }: { search: DocumentSearch }) {
  const { status: _any, ...others } = filterQuery(search);
  const { data } = useQuery({
    queryKey: ['documents', 'counts', others],
    queryFn: ({ signal }) => api.get('/documents/counts', { query: others, signal }),
    placeholderData: keepPreviousData,
  });
  const counts = data?.statuses;
  const names = (Object.keys(statusNames) as DocumentStatus[]).filter(
    (name) => name === search.status || (counts !== undefined && (counts[name].count > 0 || counts[name].is_more)),
  );
  return (
    <nav aria-label={documentsText.statuses} className="mt-3 flex min-h-9 flex-wrap items-start gap-1 max-lg:min-h-11">
      <Choice search={search} status="" counts={counts} />
      {names.map((name) => (
        <Choice key={name} search={search} status={name} counts={counts} />
      ))}
    </nav>
  );
}

interface ChoiceProps {
  search: DocumentSearch;
  /** Empty: all. */
  status: DocumentStatus | '';
  counts: Counts | undefined;
}

function Choice({ search, status, counts }: ChoiceProps) {
  const isChosen = status === (search.status ?? '');
  const shown = counts && status !== '' ? countText(counts[status]) : '';
  return (
    <Link
      to="/documents"
      search={withValue(search, 'status', status)}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isChosen ? 'true' : undefined}
      className={`rounded-lg px-3 py-1.5 text-sm font-semibold max-lg:py-2.5 ${isChosen ? 'bg-accent-wash text-accent' : 'text-soft hover:text-ink'}`}
    >
      {status === '' ? documentsText.all : statusNames[status]}
      {shown !== '' && <span className="font-normal tabular-nums"> {shown}</span>}
    </Link>
  );
}

/** Empty if nothing was counted yet and there may be more. */
function countText({ count, is_more }: Counts[DocumentStatus]): string {
  if (!is_more) return formatNumber(count);
  return count === 0 ? '' : fill(documentsText.orMore, { n: formatNumber(count) });
}
