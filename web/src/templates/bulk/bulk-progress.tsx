import { count } from '../../language.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { bulkText } from './bulk-texts.ts';
import type { BulkSendSummary } from './types.ts';

type Rows = BulkSendSummary['rows'];

const tones = { checked: 'neutral', running: 'active', done: 'good', cancelled: 'warn', stopped: 'bad' } as const;

export function BulkStatus({ of: { status } }: { of: BulkSendSummary }) {
  return <Badge tone={tones[status]}>{bulkText.statuses[status]}</Badge>;
}

export function problemsOf({ faulty, failed }: Rows): number {
  return faulty + failed;
}

export function rowsOf({ ready, faulty, failed, sent }: Rows): number {
  return ready + faulty + failed + sent;
}

/** How many rows have which outcome, in words. */
export function countsOf(rows: Rows): string {
  const { counts } = bulkText;
  const problems = problemsOf(rows);
  return [
    ...(rows.sent > 0 ? [count(rows.sent, counts.sent)] : []),
    ...(problems > 0 ? [count(problems, counts.problems)] : []),
    ...(rows.ready > 0 ? [count(rows.ready, counts.ready)] : []),
  ].join(' · ');
}

/** The progress of a started bulk send as a bar and in words. */
export function BulkProgress({ of: { rows } }: { of: BulkSendSummary }) {
  const all = rowsOf(rows);
  const share = (part: number) => `${all === 0 ? 0 : (part / all) * 100}%`;
  const problems = problemsOf(rows);
  return (
    <div className="mt-5 grid max-w-xl gap-1.5">
      <div
        role="progressbar"
        aria-label={bulkText.progress}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={rows.sent + problems}
        aria-valuetext={countsOf(rows)}
        className="flex h-2 overflow-hidden rounded-full bg-rule"
      >
        <span className="bg-good transition-[width]" style={{ width: share(rows.sent) }} />
        <span className="bg-bad transition-[width]" style={{ width: share(problems) }} />
      </div>
      <p className="text-sm text-soft tabular-nums">{countsOf(rows)}</p>
    </div>
  );
}
