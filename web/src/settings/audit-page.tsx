import { getRouteApi } from '@tanstack/react-router';
import { type ItemOf, useList } from '../api/list.ts';
import { fill, formatMoment } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditText } from './audit-texts.ts';
import { ExportButton } from './export-button.tsx';
import { Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';

type Entry = ItemOf<'/audit-log'>;

const route = getRouteApi('/settings-tabs/settings/audit-log');
const pageSize = 50;

/** The audit log: what people and the operator did to the company, newest first. */
export function AuditPage() {
  const search = route.useSearch();
  const list = useList(['audit-log', search], '/audit-log', { query: { ...search }, limit: pageSize });
  const { items, isPending, error, hasNextPage, isFetchingNextPage, more, data, refetch, isFetching } = list;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const searchedTo = data?.pages.at(-1)?.searched_to;
  return (
    <>
      <TabHead
        action={
          <div className="flex flex-wrap gap-2">
            <ExportButton path="/console/api/audit-log/export" query={{ ...search, format: 'csv' }}>
              {auditText.exports.csv}
            </ExportButton>
            <ExportButton path="/console/api/audit-log/export" query={{ ...search, format: 'json' }}>
              {auditText.exports.json}
            </ExportButton>
            <Button isBusy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
              {auditText.renew}
            </Button>
          </div>
        }
      >
        {auditText.intro}
      </TabHead>
      <AuditFilters search={search} />
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {items.length > 0 && <AuditRows entries={items} />}
      {!isPending && error === null && items.length === 0 && !isFiltered && (
        <EmptyState title={auditText.emptyTitle}>
          <p>{auditText.emptyText}</p>
        </EmptyState>
      )}
      <p role="status" className="mt-4 text-soft">
        {!isPending && items.length === 0 && isFiltered && !hasNextPage && auditText.nothingFound}
        {searchedTo && fill(auditText.searchedTo, { when: formatMoment(searchedTo) })}
      </p>
      {hasNextPage && (
        <Button className="mt-2 w-full" isBusy={isFetchingNextPage} onClick={more}>
          {searchedTo ? auditText.further : uiText.more}
        </Button>
      )}
    </>
  );
}

function AuditRows({ entries }: { entries: readonly Entry[] }) {
  const { columns } = auditText;
  return (
    <div className="mt-4">
      <Rows caption={auditText.list} columns={Object.values(columns)}>
        {entries.map(({ id, at, by, text }) => (
          <Row key={id}>
            <Cell label={columns.at} className="text-sm whitespace-nowrap text-soft">
              <Time at={at} />
            </Cell>
            <Cell className="max-md:-order-1">
              <b className="font-semibold wrap-anywhere">
                <bdi>{by.kind === 'person' ? by.email : auditText[by.kind]}</bdi>
              </b>
              {by.kind === 'person' && !by.is_member && <span className="text-soft"> ({auditText.former})</span>}{' '}
              <bdi className="wrap-anywhere">{text}</bdi>
            </Cell>
          </Row>
        ))}
      </Rows>
    </div>
  );
}
