import type { ImportJson } from '../imports/json.ts';

export interface Pace {
  perSecond: number;
  /** Until what is known of has ended; null while nothing ends. */
  secondsLeft: number | null;
}

interface Sample {
  seconds: number;
  ended: number;
}

/** A vendor that makes us wait lets nothing end for a while: shorter spans would tell of hurry and standstill in turn. */
const spanSeconds = 60;

/** How fast the files of an import end, over the last minute that it was watched. */
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
