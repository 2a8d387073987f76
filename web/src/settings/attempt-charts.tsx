import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import { fill, formatNumber, language } from '../language.ts';
import { Problem } from '../ui/problem.tsx';
import { dayName } from './day-chart.tsx';
import { formatRate } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

type Series = AnswerOf<'GET', '/webhooks/:id/attempts'>['day'];
type Period = Series['periods'][number];

const { attemptsText } = webhooksText;
const renewMs = 30_000;
const width = 300;
const height = 72;
const gap = 2;

/** Success of an endpoint in the last 24 hours and 30 days. Nothing before the first attempt. */
export function AttemptCharts({ webhookId }: { webhookId: string }) {
  const { data, error } = useQuery({
    queryKey: ['deliveries', webhookId, 'attempts'],
    queryFn: () => api.get('/webhooks/:id/attempts', { params: { id: webhookId } }),
    refetchInterval: renewMs,
  });
  if (error !== null) return <Problem of={error} className="mt-4" />;
  if (data === undefined || data.month.delivered + data.month.failed === 0) return null;
  return (
    <section aria-label={attemptsText.title} className="mt-6 grid items-start gap-4 md:grid-cols-2">
      <AttemptChart name={attemptsText.day} series={data.day} nameOf={hourName} />
      <AttemptChart name={attemptsText.month} series={data.month} nameOf={dayName} />
    </section>
  );
}

interface AttemptChartProps {
  name: string;
  series: Series;
  nameOf: (at: string) => string;
}

/** A bar for each period, failed attempts on top of delivered ones. The table below has the numbers. */
function AttemptChart({ name, series, nameOf }: AttemptChartProps) {
  const { periods, ...total } = series;
  const max = Math.max(1, ...periods.map(({ delivered, failed }) => delivered + failed));
  const step = width / periods.length;
  const tall = (attempts: number) => (attempts / max) * (height - 6);
  const [first, last] = [periods.at(0), periods.at(-1)];
  return (
    <figure className="min-w-0 rounded-xl border border-rule bg-raised p-4">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{name}</span>
        {total.delivered + total.failed > 0 && (
          <span className="font-semibold">{fill(attemptsText.rate, { rate: formatRate(total) })}</span>
        )}
      </figcaption>
      <p className="mt-1 text-sm text-soft">{summaryOf(total)}</p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${name}: ${summaryOf(total)}`}
        className="mt-3 block w-full"
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--rule)" />
        {periods.map((period, place) => {
          const { at, delivered, failed } = period;
          const x = place * step + gap / 2;
          const top = height - 1 - tall(delivered);
          return (
            <g key={at}>
              <title>{`${nameOf(at)}: ${summaryOf(period)}`}</title>
              <rect x={x} y={top} width={step - gap} height={tall(delivered)} fill="var(--accent)" />
              <rect x={x} y={top - tall(failed)} width={step - gap} height={tall(failed)} fill="var(--bad)" />
            </g>
          );
        })}
      </svg>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-soft">
        <span>{first && nameOf(first.at)}</span>
        <span>{last && nameOf(last.at)}</span>
      </div>
      <details className="mt-1">
        <summary className="min-h-11 py-2.5 text-sm font-semibold">{attemptsText.asTable}</summary>
        <AttemptTable name={name} periods={periods} nameOf={nameOf} />
      </details>
    </figure>
  );
}

function AttemptTable({
  name,
  periods,
  nameOf,
}: {
  name: string;
  periods: readonly Period[];
  nameOf: (at: string) => string;
}) {
  const { columns } = attemptsText;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section aria-label={name} tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-right text-sm tabular-nums">
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr className="border-b border-rule text-soft">
            <th scope="col" className="py-1.5 text-left font-medium">
              {columns.at}
            </th>
            {[columns.delivered, columns.failed, columns.median, columns.p95].map((column) => (
              <th key={column} scope="col" className="py-1.5 pl-3 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map(({ at, delivered, failed, median_ms, p95_ms }) => (
            <tr key={at} className="border-b border-rule">
              <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                {nameOf(at)}
              </th>
              <td className="pl-3">{formatNumber(delivered)}</td>
              <td className="pl-3">{formatNumber(failed)}</td>
              <td className="pl-3">{formatMs(median_ms)}</td>
              <td className="pl-3">{formatMs(p95_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function summaryOf({ delivered, failed, median_ms, p95_ms }: Omit<Period, 'at'>): string {
  if (delivered + failed === 0) return attemptsText.none;
  return fill(attemptsText.summary, {
    delivered: formatNumber(delivered),
    failed: formatNumber(failed),
    median: formatMs(median_ms),
    p95: formatMs(p95_ms),
  });
}

function formatMs(ms: number | null): string {
  return ms === null ? '–' : `${formatNumber(ms)} ms`;
}

const hourFormat = new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

function hourName(at: string): string {
  return hourFormat.format(new Date(at));
}
