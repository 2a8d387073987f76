import { fill, language } from '../language.ts';
import { usageText } from './usage-texts.ts';

interface DayChartProps {
  name: string;
  /** Oldest first. `date` is `2026-03-10`. */
  days: readonly { date: string; value: number }[];
  format: (value: number) => string;
}

const width = 300;
const height = 88;
const gap = 2;

/** A bar chart of thirty days. Its label has the total. The table below the charts has the numbers of each day. */
export function DayChart({ name, days, format }: DayChartProps) {
  const max = Math.max(0, ...days.map(({ value }) => value));
  const total = days.reduce((sum, { value }) => sum + value, 0);
  const step = width / Math.max(1, days.length);
  const label = fill(usageText.chartLabel, { name, total: format(total), max: format(max) });
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <figure className="min-w-0 rounded-xl border border-rule bg-raised p-4">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-soft">{fill(usageText.total, { total: format(total) })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className="mt-3 block w-full">
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--rule)" />
        {days.map(({ date, value }, at) => {
          const tall = max === 0 ? 0 : (value / max) * (height - 6);
          return (
            <rect
              key={date}
              x={at * step + gap / 2}
              y={height - 1 - tall}
              width={step - gap}
              height={tall}
              rx="1.5"
              fill="var(--accent)"
            >
              <title>{`${dayName(date)}: ${format(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-soft">
        <span>{first && dayName(first.date)}</span>
        <span>{last && dayName(last.date)}</span>
      </div>
    </figure>
  );
}

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function dayName(date: string): string {
  return dayFormat.format(new Date(date));
}
