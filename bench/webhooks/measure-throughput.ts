import { httpRequest, runLoad } from '../load.ts';
import { type Route, sampleDocument, type WebhookBench } from './open-bench.ts';
import { type Receiver, startReceiver } from './receivers.ts';
import { seedBacklog } from './seed-backlog.ts';

/**
 * Eight writers commit events as fast as they can while the worker delivers. Prints how many were received in the time
 * that both took, then the rate of the worker alone on a backlog. `aim` is in deliveries per second.
 */
export async function measureThroughput(
  bench: WebhookBench,
  scheme: 'http' | 'https',
  seconds: number,
  aim: number,
): Promise<void> {
  const receiver = await startReceiver(bench.authority, scheme);
  const route = await bench.openRoute(receiver.url);
  await commitFor(bench, 5, route); // opens connections, prepares statements and compiles code
  await bench.untilDelivered();
  await receiver.takeCounts();

  const startedAt = performance.now();
  const committed = await commitFor(bench, seconds, route);
  const committedS = (performance.now() - startedAt) / 1000;
  await bench.untilDelivered();
  const deliveredS = (performance.now() - startedAt) / 1000;
  const { count } = await receiver.takeCounts();
  if (count < committed) throw new Error(`${committed} events were committed and ${count} requests came`);
  console.log(
    `webhooks ${scheme.padEnd(6)} ${Math.round(committed / committedS)}/s committed, ${Math.round(committed / deliveredS)}/s from commit to receipt (aim ≥ ${aim})`,
  );
  await measureDrain(bench, receiver, route, scheme);
  await receiver.stop();
}

/** Returns how many events eight writers committed in the time. */
async function commitFor(bench: WebhookBench, forSeconds: number, route: Route): Promise<number> {
  const endAt = performance.now() + forSeconds * 1000;
  let committed = 0;
  const write = async () => {
    while (performance.now() < endAt) {
      await bench.commitEvent(route);
      committed += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return committed;
}

/** Delivers a backlog that is already committed. */
async function measureDrain(bench: WebhookBench, receiver: Receiver, route: Route, scheme: string): Promise<void> {
  const rows = 20_000;
  await bench.db.query({
    name: '',
    text: 'update webhook_endpoints set paused_at = now(), paused_by = $2 where id = $1',
    values: [route.endpointId, 'operator'],
  });
  await seedBacklog(bench, route.endpointId, rows);
  const startedAt = performance.now();
  await bench.db.query({
    name: '',
    text: `with resumed as (update webhook_endpoints set paused_at = null, paused_by = null where id = $1 returning id)
           select pg_notify('webhook_deliveries', '') from resumed`,
    values: [route.endpointId],
  });
  await bench.untilDelivered();
  const perSecond = rows / ((performance.now() - startedAt) / 1000);
  const ratio =
    scheme === 'http' ? `, ${(perSecond / (await barePostsPerSecond(receiver))).toFixed(2)} of bare posts` : '';
  console.log(`webhooks ${scheme.padEnd(6)} ${Math.round(perSecond)}/s out of a backlog of ${rows}${ratio}`);
}

/** The floor: the same bytes to the same receiver over as many kept connections, and nothing else. */
async function barePostsPerSecond({ port }: Receiver): Promise<number> {
  const request = httpRequest('POST', '/hook', { 'Content-Type': 'application/json' }, JSON.stringify(sampleDocument));
  const load = { port, connections: 32, durationMs: 2000, next: () => request };
  return (await runLoad(load)).requestsPerSecond;
}
