import { formatMoment, formatWhen } from '../language.ts';

/** A time as a distance, with the full date as a tooltip. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  );
}
