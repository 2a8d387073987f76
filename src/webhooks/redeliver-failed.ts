import { auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

/** Deliveries enqueued by one statement. A receiver may have missed a million. */
const portion = 1000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Enqueues a new delivery of every event recorded since `since` that an endpoint missed: all its deliveries are dead,
 * redeliveries included. Each batch is a transaction and is audited. The walk goes over first deliveries in the order of
 * their ids, so it ends even when the new deliveries fail. Returns how many. `personId` is null for the operator.
 */
export async function redeliverFailed(
  world: World,
  db: Database,
  endpointId: string,
  since: Timestamp,
  personId: string | null,
): Promise<number> {
  let redelivered = 0;
  let after = beforeAll;
  for (;;) {
    const step = await db.transaction(async (tx) => {
      const accountId = await lockEndpoint(tx, endpointId);
      if (accountId === null) return null;
      const step = await redeliverPortion(world, tx, endpointId, since, after);
      if (step !== null && step.redelivered > 0) {
        const detail = { endpoint_id: endpointId, since, redelivered: step.redelivered };
        await auditAccount(world, tx, { accountId, personId, action: 'webhook_redelivered', detail });
      }
      return step;
    });
    if (step === null) return redelivered;
    redelivered += step.redelivered;
    after = step.ended_at;
  }
}

/** Locks the endpoint, so that concurrent calls run in turn. Returns its account, or null when it was removed. */
async function lockEndpoint(tx: Tx, id: string): Promise<string | null> {
  const rows = await tx.query<{ account_id: string }>({
    name: 'lock_endpoint',
    text: 'select account_id from webhook_endpoints where id = $1 and removed_at is null for no key update',
    values: [id],
  });
  return rows[0]?.account_id ?? null;
}

interface Step {
  redelivered: number;
  ended_at: string;
}

/**
 * Returns null when no delivery comes after `after`. Redeliveries are counted per event: PostgreSQL may plan `not exists`
 * as one join with all of them, in each batch.
 */
async function redeliverPortion(
  world: World,
  tx: Tx,
  endpointId: string,
  since: Timestamp,
  after: string,
): Promise<Step | null> {
  const rows = await tx.query<Step>({
    name: 'redeliver_failed',
    text: `with first as (
             select id, account_id, endpoint_id, event_id, payload_version from webhook_deliveries
             where endpoint_id = $1 and id > $2 and redelivery_of is null and status = 'dead'
             order by id limit ${portion}
           ), missed as (
             select first.*, row_number() over (order by first.id) as place
             from first join events e on e.id = first.event_id and e.created_at >= $3
             where (
               select count(*) from webhook_deliveries again
               where again.event_id = first.event_id and again.endpoint_id = first.endpoint_id
                 and again.redelivery_of is not null and again.status <> 'dead'
             ) = 0
           ), enqueued as (
             insert into webhook_deliveries
               (id, account_id, endpoint_id, event_id, payload_version, status, redelivery_of, next_attempt_at, created_at)
             select ($4::uuid[])[place], account_id, endpoint_id, event_id, payload_version, 'pending', id, ${dueAtOnce('$5')}, $5
             from missed
             returning id
           ), woken as (
             select pg_notify('${deliveriesChannel}', '') from enqueued limit 1
           )
           select id as ended_at, (select count(*) from enqueued) as redelivered
           from first left join woken on true order by id desc limit 1`,
    values: [endpointId, after, since, Array.from({ length: portion }, world.newId), world.clock.now()],
  });
  return rows[0] ?? null;
}
