import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { faultTexts } from '../../../../src/bulk-send/fault-texts.ts';
import { useList } from '../../api/list.ts';
import { dialogText } from '../../documents/dialog-texts.ts';
import { fill, formatNumber, language } from '../../language.ts';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { uiText } from '../../ui/texts.ts';
import { problemsOf, rowsOf } from './bulk-progress.tsx';
import { bulkText } from './bulk-texts.ts';
import type { RowSearch } from './row-search.ts';
import type { BulkSendDetail, RowView } from './types.ts';

type Show = RowSearch['show'];

const statusesOf = { ready: 'ready', problems: 'faulty,failed', sent: 'sent' } as const;

/** The rows of a file, in its order: all, or those with one outcome. */
export function BulkRows({ templateId, bulkSend, show }: { templateId: string; bulkSend: BulkSendDetail; show: Show }) {
  const { id: bulk, status, rows } = bulkSend;
  const list = useList(['bulk-send-rows', bulk, show ?? 'all'], '/templates/:id/bulk-sends/:bulk/rows', {
    params: { id: templateId, bulk },
    query: { status: show && statusesOf[show] },
  });
  // Not with every sent row: people read the list meanwhile.
  const queryClient = useQueryClient();
  useEffect(() => {
    if (status !== 'checked') void queryClient.invalidateQueries({ queryKey: ['bulk-send-rows', bulk] });
  }, [status, bulk, queryClient]);
  const { items, isPending, isPlaceholderData, error } = list;
  const { number, cells, outcome } = bulkText.rowColumns;
  return (
    <section aria-labelledby="rows" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="rows" className="text-xl">
          {bulkText.rows}
        </h2>
        <RowFilter templateId={templateId} bulk={bulk} rows={rows} show={show} />
      </div>
      <Problem of={error} className="mt-4" />
      {isPending && <p className="mt-4 text-soft">{uiText.loading}</p>}
      {!isPending && items.length === 0 && error === null && <p className="mt-4 text-soft">{bulkText.noRows}</p>}
      {items.length > 0 && (
        <table
          className={`mt-3 w-full border-collapse max-sm:block sm:table-fixed ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <thead className="max-sm:sr-only">
            <tr className="border-b border-rule text-left text-sm text-soft">
              {[number, cells, outcome].map((name) => (
                <th key={name} scope="col" className="py-2 pr-4 font-medium first:sm:w-16 last:pr-0 last:sm:w-2/5">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {items.map((row) => (
              <Row key={row.number} row={row} />
            ))}
          </tbody>
        </table>
      )}
      <MoreButton list={list} />
    </section>
  );
}

interface RowFilterProps {
  templateId: string;
  bulk: string;
  rows: BulkSendDetail['rows'];
  show: Show;
}

/** Filter by outcome, with counts. Outcomes without rows are hidden. */
function RowFilter({ templateId, bulk, rows, show }: RowFilterProps) {
  const counts = { ready: rows.ready, problems: problemsOf(rows), sent: rows.sent };
  const choices = (['ready', 'problems', 'sent'] as const).filter((name) => counts[name] > 0 || name === show);
  if (choices.length < 2 && show === undefined) return null;
  return (
    <nav aria-label={bulkText.which} className="-mx-1 flex flex-wrap gap-1">
      {([undefined, ...choices] as const).map((name) => (
        <Link
          key={name ?? 'all'}
          to="/templates/$id/bulk/$bulk"
          params={{ id: templateId, bulk }}
          search={name === undefined ? {} : { show: name }}
          replace
          aria-current={name === show ? 'true' : undefined}
          className={`rounded-lg px-3 py-1.5 text-sm font-semibold max-lg:py-2.5 ${name === show ? 'bg-accent-wash text-accent' : 'text-soft hover:text-ink'}`}
        >
          {bulkText.choices[name ?? 'all']}{' '}
          <span className="font-normal tabular-nums">
            {formatNumber(name === undefined ? rowsOf(rows) : counts[name])}
          </span>
        </Link>
      ))}
    </nav>
  );
}

const tones = { ready: 'neutral', faulty: 'bad', failed: 'bad', sent: 'good' } as const;

function Row({ row }: { row: RowView }) {
  const { number, status, faults, duplicate_of, document_id } = row;
  const cell = 'py-3 pr-4 align-top last:pr-0 max-sm:p-0';
  return (
    <tr className="border-b border-rule max-sm:grid max-sm:grid-cols-[2.5rem_minmax(0,1fr)] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      <td className={`${cell} text-soft tabular-nums max-sm:row-span-2`}>{formatNumber(number)}</td>
      <td className={`${cell} break-words ${row.cells === null ? 'text-soft' : ''}`}>
        <bdi>{contentsOf(row)}</bdi>
      </td>
      <td className={cell}>
        <Badge tone={tones[status]}>{bulkText.outcomes[status]}</Badge>
        {document_id !== null && (
          <Link
            to="/documents/$id"
            params={{ id: document_id }}
            search={{}}
            aria-label={fill(bulkText.openOf, { n: formatNumber(number) })}
            className="ml-3 font-medium text-accent underline"
          >
            {bulkText.open}
          </Link>
        )}
        {faults.map(({ column, code }) => (
          <span key={`${column} ${code}`} className="mt-1 block text-sm break-words">
            {column !== null && <bdi>{column}: </bdi>}
            {explain(code)}
          </span>
        ))}
        {duplicate_of !== null && (
          <span className="mt-1 block text-sm text-soft">
            {fill(bulkText.sameAs, { n: formatNumber(duplicate_of) })}
          </span>
        )}
      </td>
    </tr>
  );
}

const cellsMax = 6;

function contentsOf({ cells }: RowView): string {
  if (cells === null) return bulkText.hidden;
  const filled = cells.filter((text) => text !== '');
  return filled.slice(0, cellsMax).join(' · ') + (filled.length > cellsMax ? ' …' : '');
}

function explain(code: string): string {
  const ofSending: Record<string, string> = dialogText.failures.send;
  return faultTexts[code]?.[language] ?? ofSending[code] ?? uiText.failures[code] ?? code;
}
