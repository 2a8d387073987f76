import type { Queryable } from '../postgres/database.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';
import { endpointColumns, rolledSecretHours, secretContext, type WebhookEndpoint } from './endpoint.ts';
import type { EventType } from './event-types.ts';
import { generateSecret } from './register-endpoint.ts';
import { deliveriesChannel } from './wake.ts';

/** In the order of registration, without the removed ones. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>({
    name: 'list_endpoints',
    text: `select ${endpointColumns} from webhook_endpoints where account_id = $1 and removed_at is null order by id`,
    values: [accountId],
  });
}

export async function findEndpoint(db: Queryable, id: string): Promise<WebhookEndpoint | null> {
  const rows = await db.query<WebhookEndpoint>({
    name: 'find_endpoint',
    text: `select ${endpointColumns} from webhook_endpoints where id = $1 and removed_at is null`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** From the next event on; what is owed already is delivered. Null when it does not exist. */
export async function chooseEvents(
  db: Queryable,
  id: string,
  events: readonly EventType[],
): Promise<WebhookEndpoint | null> {
  const rows = await db.query<WebhookEndpoint>({
    name: 'choose_events',
    text: `update webhook_endpoints set events = $2 where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, events],
  });
  return rows[0] ?? null;
}

/** Nothing is delivered there any more; what was owed is closed by `closeRemoved`. Null when it does not exist. */
export async function removeEndpoint(world: World, db: Queryable, id: string): Promise<WebhookEndpoint | null> {
  const rows = await db.query<WebhookEndpoint>({
    name: 'remove_endpoint',
    text: `update webhook_endpoints set removed_at = $2 where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, world.clock.now()],
  });
  return rows[0] ?? null;
}

const closedAtOnce = 5000;

/** Marks dead what removed endpoints are still owed, in portions: there may be a million. What is under way is left to end. */
export async function closeRemoved(world: World, db: Queryable): Promise<void> {
  for (;;) {
    const closed = await db.query({
      name: 'close_removed_deliveries',
      text: `update webhook_deliveries set status = 'dead', next_attempt_at = null, lease_id = null, leased_until = null,
               settled_at = $1
             where id in (
               select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
               where e.removed_at is not null and d.status = 'pending' and (d.leased_until is null or d.leased_until <= $1)
               limit $2 for update of d skip locked
             )
             returning id`,
      values: [world.clock.now(), closedAtOnce],
    });
    if (closed.length < closedAtOnce) return;
  }
}

/** Events go on being recorded for it, and wait. */
export async function pauseEndpoint(world: World, db: Queryable, id: string): Promise<WebhookEndpoint | null> {
  const rows = await db.query<WebhookEndpoint>({
    name: 'pause_endpoint',
    text: `update webhook_endpoints set paused_at = coalesce(paused_at, $2), paused_by = coalesce(paused_by, 'operator')
           where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, world.clock.now()],
  });
  return rows[0] ?? null;
}

/** Whatever waited becomes due at once, the oldest first; its days of failing are forgotten. */
export async function resumeEndpoint(db: Queryable, id: string): Promise<WebhookEndpoint | null> {
  const rows = await db.query<WebhookEndpoint>({
    name: 'resume_endpoint',
    text: `with resumed as (
             update webhook_endpoints
             set paused_at = null, paused_by = null, failing_since = null, last_failed_at = null
             where id = $1 and removed_at is null returning ${endpointColumns}
           ), woken as (
             select pg_notify('${deliveriesChannel}', '') from resumed
           )
           select ${endpointColumns} from resumed, woken`,
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * Gives it a new secret, shown this once. Deliveries carry a signature with each of the two until the old one ends, so
 * that the receiver can change over at any moment between. Rolling again ends the oldest at once.
 */
export async function rollSecret(
  world: World,
  db: Queryable,
  secretBox: SecretBox,
  id: string,
): Promise<(WebhookEndpoint & { secret: string }) | null> {
  const secret = generateSecret(world.random);
  const previousUntil = new Date(world.clock.now().getTime() + rolledSecretHours * 3_600_000);
  const rows = await db.query<WebhookEndpoint>({
    name: 'roll_secret',
    text: `update webhook_endpoints set previous_secret = secret, previous_secret_until = $3, secret = $2
           where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, secretBox.seal(secret, secretContext(id)), previousUntil],
  });
  return rows[0] === undefined ? null : { ...rows[0], secret };
}
