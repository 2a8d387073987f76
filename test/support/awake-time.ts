/** Longer gaps between two turns of the event loop are pauses of the process. */
const gapMsMax = 100;

/** Measures time without the pauses of this process, in which a service that runs in it could not have answered. */
export function startAwakeTime(): { ms(): number; stop(): void } {
  let [sum, last] = [0, performance.now()];
  const tick = () => {
    const now = performance.now();
    sum += Math.min(now - last, gapMsMax);
    last = now;
  };
  const timer = setInterval(tick, 10).unref();
  return {
    ms() {
      tick();
      return sum;
    },
    stop: () => clearInterval(timer),
  };
}
