import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { percentile } from '../pace.ts';
import type { WebhookBench } from './open-bench.ts';
import { seedBacklog, seedDelivered } from './seed-backlog.ts';

export interface ClaimedFrom {
  /** Pending deliveries, most of them to one endpoint. */
  pending: number;
  /** Deliveries that have ended, in the same table. */
  delivered: number;
}

/** Claims 100 deliveries at a time: first when the table has 1,000 rows, then when it has many. Prints the times and their ratio. */
export async function measureClaims(bench: WebhookBench, { pending, delivered }: ClaimedFrom): Promise<void> {
  const { id: accountId } = await createAccount(bench.world, bench.db, { displayName: 'Backlog', tier: 'enterprise' });
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, i) => bench.addEndpoint(accountId, `https://example.com/${i}`)),
  );
  for (const id of endpoints) await seedBacklog(bench, id, 100);
  const few = await timeClaims(bench);

  await seedDelivered(bench, endpoints, delivered);
  await seedBacklog(bench, endpoints[0] as string, pending);
  for (const id of endpoints.slice(1)) await seedBacklog(bench, id, 1000);
  const many = await timeClaims(bench);
  const ratio = percentile(many, 0.5) / percentile(few, 0.5);
  console.log(
    `webhooks claim  100 of ${pending} waiting, among ${delivered} delivered: p50 ${percentile(many, 0.5)} ms,` +
      ` worst ${percentile(many, 1)} ms (aim < 50), ${ratio.toFixed(2)} × that of a table with 1,000 rows (aim ≤ 1.30)`,
  );
}

/** In milliseconds each. Each claim is given back, so that the next one finds as much. */
async function timeClaims({ world, db, databaseUrl }: WebhookBench): Promise<number[]> {
  await db.query({ name: '', text: 'vacuum analyze webhook_deliveries', values: [] });
  const claimer = openDatabase({ url: databaseUrl, connectionsMax: 1, log: world.log });
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
    await db.query({
      name: 'bench_give_back',
      text: 'update webhook_deliveries set lease_id = null, leased_until = null where id = any ($1)',
      values: [claim.deliveries.map(({ id }) => id)],
    });
  }
  await claimer.close();
  return timesMs;
}
