import { pace, percentile } from '../pace.ts';
import type { WebhookBench } from './open-bench.ts';
import { startReceiver } from './receivers.ts';

/** Commits events at an even pace, and prints how long after its commit each is received. */
export async function measureDelay(bench: WebhookBench, seconds: number, perSecond: number): Promise<void> {
  const receiver = await startReceiver(bench.authority, 'http');
  const route = await bench.openRoute(receiver.url);
  await pace(perSecond, 1, () => bench.commitEvent(route));
  await bench.untilDelivered();
  await receiver.takeCounts();
  await pace(perSecond, seconds, () => bench.commitEvent(route));
  await bench.untilDelivered();
  const { delaysMs } = await receiver.takeCounts();
  console.log(
    `webhooks delay  at ${perSecond}/s: p50 ${percentile(delaysMs, 0.5)} ms, p95 ${percentile(delaysMs, 0.95)} ms (aim p95 < 250), p99 ${percentile(delaysMs, 0.99)} ms`,
  );
  await receiver.stop();
}
