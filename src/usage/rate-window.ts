/** The windows of the rate budget: the UTC minute and the UTC day. */
export interface RateWindow {
  /** Minutes since the epoch. */
  minute: number;
  /** Days since the epoch. */
  day: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

export function rateWindowAt(now: Date): RateWindow {
  return { minute: Math.floor(now.getTime() / minuteMs), day: Math.floor(now.getTime() / dayMs) };
}

/** Unix seconds at which the minute rolls over: a multiple of 60. */
export function minuteEndsAt(window: RateWindow): number {
  return (window.minute + 1) * 60;
}

/** Unix seconds of the next UTC midnight. */
export function dayEndsAt(window: RateWindow): number {
  return (window.day + 1) * 86_400;
}
