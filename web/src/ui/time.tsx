import { useSyncExternalStore } from 'react';
import { formatMoment, formatWhen } from '../language.ts';

const minuteMs = 60_000;
const shown = new Set<() => void>();
setInterval(() => {
  for (const update of shown) update();
}, minuteMs);

/** A time as a distance, which is updated every minute, with the full date as a tooltip. */
export function Time({ at }: { at: string }) {
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / minuteMs));
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  );
}

function subscribe(update: () => void): () => void {
  shown.add(update);
  return () => shown.delete(update);
}
