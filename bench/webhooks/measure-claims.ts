import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { percentile } from '../pace.ts';
import type { WebhookBench } from './open-bench.ts';
import { seedBacklog } from './seed-backlog.ts';

/** Claims 100 deliveries at a time while `backlogRows` are pending, most of them for one endpoint. Prints the times. */
export async function measureClaims(bench: WebhookBench, backlogRows: number): Promise<void> {
  const { world, db } = bench;
  const { id: accountId } = await createAccount(world, db, { displayName: 'Backlog', tier: 'enterprise' });
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, i) => bench.addEndpoint(accountId, `https://example.com/${i}`)),
  );
  await seedBacklog(bench, endpoints[0] as string, backlogRows);
  for (const id of endpoints.slice(1)) await seedBacklog(bench, id, 1000);
  await db.query({ name: '', text: 'vacuum analyze webhook_deliveries', values: [] });
  const claimer = openDatabase({ url: bench.databaseUrl, connectionsMax: 1, log: world.log });
  const timesMs: number[] = [];
  let after = '';
  for (let round = 0; round < 60; round++) {
    const startedAt = performance.now();
    const now = new Date();
    const claim = await claimDeliveries(claimer, {
      answers: 'unknown',
      now,
      leaseId: world.newId(),
      leasedUntil: new Date(now.getTime() + 30_000),
      limit: 100,
      perEndpoint: 32,
      perFailingEndpoint: 2,
      underWay: new Map(),
      after,
    });
    timesMs.push(performance.now() - startedAt);
    if (claim.deliveries.length === 0) throw new Error('a claim found nothing in the backlog');
    after = claim.endedAt;
  }
  await claimer.close();
  console.log(
    `webhooks claim  100 of ${backlogRows} waiting: p50 ${percentile(timesMs, 0.5)} ms, worst ${percentile(timesMs, 1)} ms (aim < 50)`,
  );
}
