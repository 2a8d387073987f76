import type { ImportJson } from '../../imports/json.ts';

export interface Pace {
  perSecond: number;
  /** Time until all known files are done; null while none finishes. */
  secondsLeft: number | null;
}

interface Sample {
  seconds: number;
  ended: number;
}

/** A throttling vendor finishes files in bursts. A shorter window would jump between fast and stopped. */
const spanSeconds = 60;

/** Measures how many files per second finish, over the last minute. */
export function measurePace(): (row: ImportJson, seconds: number) => Pace | null {
  let samples: Sample[] = [];
  return ({ filed, failed, remaining }, seconds) => {
    samples = [
      ...samples.filter((sample) => sample.seconds >= seconds - spanSeconds),
      { seconds, ended: filed + failed },
    ];
    const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample];
    if (last.seconds - first.seconds < 1) return null;
    const perSecond = (last.ended - first.ended) / (last.seconds - first.seconds);
    return { perSecond, secondsLeft: perSecond === 0 ? null : remaining / perSecond };
  };
}

/** `12.5/s, 3 min left` */
export function paceText({ perSecond, secondsLeft }: Pace): string {
  const rate = `${perSecond < 100 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
  return secondsLeft === null ? rate : `${rate}, ${durationText(secondsLeft)} left`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
