import { setTimeout as sleep } from 'node:timers/promises';
import { pace, percentile } from '../pace.ts';
import type { WebhookBench } from './open-bench.ts';
import { startReceiver, startSilence } from './receivers.ts';

const perSecond = 100;

/** Prints the p99 of one healthy endpoint alone, then next to nine that accept connections and never answer. */
export async function measureFairness(bench: WebhookBench, seconds: number): Promise<void> {
  const receiver = await startReceiver(bench.authority, 'http');
  const silent = await startSilence();
  const route = await bench.openRoute(receiver.url);
  const p99 = async () => {
    await receiver.takeCounts();
    await pace(perSecond, seconds, () => bench.commitEvent(route));
    await sleep(1000);
    return percentile((await receiver.takeCounts()).delaysMs, 0.99);
  };
  await pace(perSecond, 1, () => bench.commitEvent(route));
  await sleep(500);
  const alone = await p99();
  for (let i = 0; i < 9; i++) await bench.addEndpoint(route.accountId, `${silent.url}/hanging/${i}`);
  const crowded = await p99();
  console.log(
    `webhooks fair   a healthy endpoint's p99 next to nine that hang: ${(crowded / alone).toFixed(2)} × (aim < 2): ${alone} → ${crowded} ms`,
  );
  silent.close();
  await receiver.stop();
}

/**
 * Prints the delays of one healthy endpoint alone, then next to a thousand endpoints of other companies that hang: first
 * when nothing is known of these, then once they are known to hang.
 */
export async function measureCrowd(bench: WebhookBench, seconds: number): Promise<void> {
  const receiver = await startReceiver(bench.authority, 'http');
  const silent = await startSilence();
  const route = await bench.openRoute(receiver.url);
  await pace(perSecond, 1, () => bench.commitEvent(route));
  await bench.untilDelivered();
  const report = async (when: string) => {
    await receiver.takeCounts();
    await pace(perSecond, seconds, () => bench.commitEvent(route));
    await sleep(1000);
    const { count, delaysMs } = await receiver.takeCounts();
    console.log(
      `webhooks crowd  a healthy endpoint ${when}: p50 ${percentile(delaysMs, 0.5)} ms, p95 ${percentile(delaysMs, 0.95)} ms (aim ≤ 250), ${count} of ${perSecond * seconds} received`,
    );
  };
  await report('alone');
  for (let company = 0; company < 100; company++) {
    const crowd = await bench.openRoute(`${silent.url}/hanging/${company}/0`);
    for (let i = 1; i < 10; i++) await bench.addEndpoint(crowd.accountId, `${silent.url}/hanging/${company}/${i}`);
    for (let event = 0; event < 3; event++) await bench.commitEvent(crowd);
  }
  await report('next to 1000 that hang, at first contact');
  await report('next to 1000 that hang, known to hang');
  silent.close();
  await receiver.stop();
}
