import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useList } from '../api/list.ts';
import { count, fill, formatMoment, formatNumber } from '../language.ts';
import { Cell, Row, Rows } from '../settings/rows.tsx';
import { formatBytes } from '../settings/usage.ts';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Facts } from './facts.tsx';
import { ListEnd } from './list-end.tsx';
import { failures, operatorText } from './texts.ts';

const { storage: text } = operatorText;

/** What all companies store, and how much room is left. */
export function Storage() {
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'storage'],
    queryFn: () => api.get('/operator/storage'),
  });
  const list = useList(['operator', 'storage', 'companies'], '/operator/storage/companies');
  const { columns } = text;
  return (
    <>
      <Problem of={error ?? list.error} failures={failures} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <Facts
          facts={[
            [text.store, text.kinds[data.store]],
            [
              text.files,
              data.totals === null
                ? '–'
                : fill(count(data.totals.files, text.filesValue), { bytes: formatBytes(data.totals.bytes) }),
            ],
            [text.database, formatBytes(data.database_bytes)],
            ...(data.disk === null
              ? []
              : ([
                  [
                    text.disk,
                    fill(text.diskValue, {
                      free: formatBytes(data.disk.free_bytes),
                      total: formatBytes(data.disk.total_bytes),
                    }),
                  ],
                ] as const)),
          ]}
        />
      )}
      <section aria-labelledby="by-company" className="mt-8">
        <h2 id="by-company" className="text-xl">
          {text.byCompany}
        </h2>
        <p className="mt-1 mb-2 max-w-2xl text-soft">
          {text.note}{' '}
          {data !== undefined &&
            (data.totals === null
              ? text.notMeasured
              : fill(text.measured, { when: formatMoment(data.totals.measured_at) }))}
        </p>
        {list.items.length > 0 && (
          <Rows caption={text.byCompany} columns={Object.values(columns)}>
            {list.items.map(({ id, display_name, files, bytes }) => (
              <Row key={id}>
                <Cell className="font-semibold wrap-anywhere">
                  <Link to="/operator/$" params={{ _splat: `companies/${id}` }} className="text-accent underline">
                    <bdi>{display_name}</bdi>
                  </Link>
                </Cell>
                <Cell label={columns.bytes} className="tabular-nums">
                  {formatBytes(bytes)}
                </Cell>
                <Cell label={columns.files} className="tabular-nums">
                  {formatNumber(files)}
                </Cell>
              </Row>
            ))}
          </Rows>
        )}
        <ListEnd list={list} />
      </section>
    </>
  );
}
