import { setTimeout as sleep } from 'node:timers/promises';

/** Starts `work` at an even pace, and waits until all of it has finished. */
export async function pace(perSecond: number, forSeconds: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const all: Array<Promise<void>> = [];
  while (all.length < perSecond * forSeconds) {
    const dueCount = Math.min(((performance.now() - startedAt) / 1000) * perSecond, perSecond * forSeconds);
    while (all.length < dueCount) all.push(work());
    await sleep(2);
  }
  await Promise.all(all);
}

/** Rounds to a tenth. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}
