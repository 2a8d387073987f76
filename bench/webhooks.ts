import { endChildren } from './child.ts';
import { measureClaims } from './webhooks/measure-claims.ts';
import { measureDelay } from './webhooks/measure-delay.ts';
import { measureCrowd, measureFairness } from './webhooks/measure-fairness.ts';
import { measureThroughput } from './webhooks/measure-throughput.ts';
import { openWebhookBench } from './webhooks/open-bench.ts';

/**
 * The part of `npm run bench` about webhooks: from the commit of an event to its receipt, with a worker as operators run
 * it and receivers in their own processes. `node bench/webhooks.ts crowd` runs only the named measurements.
 */
const seconds = Number(process.env.BENCH_WEBHOOK_SECONDS ?? 10);
const backlogRows = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const deliveredRows = Number(process.env.BENCH_DELIVERED ?? 1_000_000);
const chosen = process.argv.slice(2);

const bench = await openWebhookBench();
const measurements = {
  http: () => measureThroughput(bench, 'http', seconds, 2000),
  https: () => measureThroughput(bench, 'https', seconds, 1500),
  delay: () => measureDelay(bench, seconds, 500),
  fair: () => measureFairness(bench, seconds),
  crowd: () => measureCrowd(bench, seconds),
};

try {
  await bench.startWorker();
  for (const [name, measure] of Object.entries(measurements)) if (isChosen(name)) await measure();
  await endChildren();
  if (isChosen('claims')) await measureClaims(bench, { pending: backlogRows, delivered: deliveredRows });
} finally {
  await bench.close();
}

function isChosen(name: string): boolean {
  return chosen.length === 0 || chosen.includes(name);
}
