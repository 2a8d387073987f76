import { fill, formatNumber } from '../language.ts';
import { Badge } from '../ui/status-badge.tsx';
import { DayChart, dayName } from './day-chart.tsx';
import { formatBytes, type Usage, type UsageDay } from './usage.ts';
import { usageText } from './usage-texts.ts';

const { meters, charts } = usageText;

/** The limits of a plan with what is used of them, and the usage of the last days. */
export function UsageShown({ usage, noApi }: { usage: Usage; noApi: string }) {
  const { tier, plan, used, credits, days } = usage;
  const series = (name: 'requests' | 'import_files' | 'import_bytes' | 'credits') =>
    days.map((day) => ({ date: day.date, value: day[name] }));
  return (
    <>
      <p className="flex items-center gap-2 text-lg">
        <span className="text-soft">{usageText.plan}</span>
        <Badge tone="active">{usageText.tiers[tier ?? ''] ?? tier ?? '–'}</Badge>
      </p>
      {plan !== null && !plan.api && <p className="mt-2">{noApi}</p>}
      {plan !== null && (
        <div className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <Meter name={meters.minute} used={used.requests_this_minute} limit={plan.burst_per_minute} />
          <Meter name={meters.day} used={used.requests_today} limit={plan.requests_per_day} />
          <Meter name={meters.files} used={used.import_files_today} limit={plan.import_files_per_day} />
          <Meter
            name={meters.storage}
            used={used.import_bytes_this_month}
            limit={plan.import_bytes_per_month}
            format={formatBytes}
            remark={
              used.import_bytes_reserved > 0
                ? fill(usageText.reserved, { bytes: formatBytes(used.import_bytes_reserved) })
                : null
            }
          />
          <div>
            <p className="font-semibold">{meters.credits}</p>
            <p>{fill(usageText.credits, { n: formatNumber(credits.balance) })}</p>
            {credits.due > 0 && (
              <p className="text-sm text-soft">{fill(usageText.due, { n: formatNumber(credits.due) })}</p>
            )}
          </div>
        </div>
      )}
      <div className="mt-8 grid gap-4 md:grid-cols-2">
        <DayChart name={charts.requests} days={series('requests')} format={formatNumber} />
        <DayChart name={charts.files} days={series('import_files')} format={formatNumber} />
        <DayChart name={charts.bytes} days={series('import_bytes')} format={formatBytes} />
        <DayChart name={charts.credits} days={series('credits')} format={formatNumber} />
      </div>
      <details className="mt-4">
        <summary className="min-h-11 py-2.5 font-semibold">{usageText.asTable}</summary>
        <DayTable days={days} />
      </details>
    </>
  );
}

interface MeterProps {
  name: string;
  used: number;
  limit: number;
  format?: (value: number) => string;
  remark?: string | null;
}

function Meter({ name, used, limit, format = formatNumber, remark = null }: MeterProps) {
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent';
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-soft">{fill(usageText.of, { used: format(used), limit: format(limit) })}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers colour the native element differently */}
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, used)}
        aria-valuenow={used}
        aria-valuetext={fill(usageText.of, { used: format(used), limit: format(limit) })}
        className="mt-1.5 h-2 overflow-hidden rounded-full border border-rule bg-wash"
      >
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${share * 100}%` }} />
      </div>
      {remark !== null && <p className="mt-1 text-sm text-soft">{remark}</p>}
    </div>
  );
}

function DayTable({ days }: { days: readonly UsageDay[] }) {
  const { columns } = usageText;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section aria-label={usageText.asTable} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-xl border-collapse text-right text-sm tabular-nums">
        <thead>
          <tr className="border-b border-rule text-soft">
            <th scope="col" className="py-1.5 text-left font-medium">
              {columns.day}
            </th>
            {[columns.requests, columns.refused, columns.failed, columns.files, columns.bytes, columns.credits].map(
              (name) => (
                <th key={name} scope="col" className="py-1.5 pl-4 font-medium">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date} className="border-b border-rule">
              <th scope="row" className="py-1 text-left font-normal">
                {dayName(day.date)}
              </th>
              <td className="pl-4">{formatNumber(day.requests)}</td>
              <td className="pl-4">{formatNumber(day.refused)}</td>
              <td className="pl-4">{formatNumber(day.failed)}</td>
              <td className="pl-4">{formatNumber(day.import_files)}</td>
              <td className="pl-4">{formatBytes(day.import_bytes)}</td>
              <td className="pl-4">{formatNumber(day.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
