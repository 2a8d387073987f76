import { count } from '../language.ts';
import { importsText } from './texts.ts';
import type { ImportView } from './types.ts';

/** The progress of an import as a bar and in words. The total grows while a vendor is still listing. */
export function ProgressBar({ of, name }: { of: ImportView; name: string }) {
  const { total_files: total, filed, failed } = of;
  const share = (part: number) => `${total === 0 ? 0 : (part / total) * 100}%`;
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={total === 0 && of.status === 'running' ? undefined : filed + failed}
        aria-valuetext={countsOf(of)}
        className="flex h-2 overflow-hidden rounded-full bg-rule"
      >
        <span className="bg-good transition-[width]" style={{ width: share(filed) }} />
        <span className="bg-bad transition-[width]" style={{ width: share(failed) }} />
      </div>
      <p className="text-sm text-soft tabular-nums">{countsOf(of)}</p>
    </div>
  );
}

function countsOf({ source, status, total_files, filed, failed, remaining }: ImportView): string {
  if (total_files === 0) {
    if (status === 'finished') return importsText.nothingFound;
    return source === 'esign_vendor' ? importsText.listing : count(0, importsText.total);
  }
  return [
    count(filed, importsText.filed),
    ...(failed > 0 ? [count(failed, importsText.failed)] : []),
    ...(remaining > 0 ? [count(remaining, importsText.remaining)] : []),
  ].join(' · ');
}
