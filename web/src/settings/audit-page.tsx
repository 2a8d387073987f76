import { getRouteApi } from '@tanstack/react-router';
import { type ItemOf, useList } from '../api/list.ts';
import { useMe } from '../api/me.ts';
import { Time } from '../ui/time.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditStream } from './audit-stream.tsx';
import { auditText } from './audit-texts.ts';
import { LogList } from './log-list.tsx';
import { Cell, Row, Rows } from './rows.tsx';

type Entry = ItemOf<'/audit-log'>;

const route = getRouteApi('/settings-tabs/settings/audit-log');
const pageSize = 50;

/** The audit log: what people and the operator did to the company, newest first. */
export function AuditPage() {
  const search = route.useSearch();
  const { role } = useMe();
  const list = useList(['audit-log', search], '/audit-log', { query: { ...search }, limit: pageSize });
  return (
    <LogList
      texts={auditText}
      list={list}
      search={search}
      exportPath="/audit-log/export"
      filters={
        <>
          {role === 'owner' && <AuditStream />}
          <AuditFilters search={search} />
        </>
      }
    >
      <AuditRows entries={list.items} />
    </LogList>
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
