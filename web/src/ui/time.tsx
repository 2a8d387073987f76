import { formatMoment, formatWhen } from '../language.ts';

/** A moment as a distance, the whole of it on hovering. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  );
}
