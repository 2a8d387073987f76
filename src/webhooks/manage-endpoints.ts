import type { AccountAction } from '../accounts/account-audit.ts';
import { Refusal } from '../errors.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Statement, Tx } from '../postgres/database.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import {
  endpointColumns,
  rolledSecretHours,
  secretContext,
  validSecretsMax,
  type WebhookEndpoint,
} from './endpoint.ts';
import type { EventType } from './event-types.ts';
import type { PayloadVersion } from './payload-versions.ts';
import { generateSecret } from './register-endpoint.ts';
import { deliveriesChannel, dueAtOnce } from './wake.ts';

/** Lists the endpoints of an account in the order of registration, without removed ones. */
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

export async function isPaused(db: Queryable, id: string): Promise<boolean> {
  const endpoint = await findEndpoint(db, id);
  return endpoint !== null && endpoint.paused_at !== null;
}

/** The person who changes an endpoint, or null for the operator. Each change is audited. */
type PersonId = string | null;

/** Replaces the event types of an endpoint. Pending deliveries are still sent. Null when it does not exist. */
export function chooseEvents(
  world: World,
  tx: Tx,
  id: string,
  events: readonly EventType[],
  personId: PersonId,
): Promise<WebhookEndpoint | null> {
  return change(world, tx, personId, 'webhook_events_chosen', {
    name: 'choose_events',
    text: `update webhook_endpoints set events = $2 where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, events],
  });
}

/** Limits the deliveries per second, from the next claim on. Null: no limit. Null when it does not exist. */
export function limitEndpoint(
  world: World,
  tx: Tx,
  id: string,
  rateLimit: number | null,
  personId: PersonId,
): Promise<WebhookEndpoint | null> {
  return change(world, tx, personId, 'webhook_limited', {
    name: 'limit_endpoint',
    text: `update webhook_endpoints set rate_limit = $2, paced_until = null where id = $1 and removed_at is null
           returning ${endpointColumns}`,
    values: [id, rateLimit],
  });
}

/** Chooses the version of the body of deliveries that are enqueued from now on. Null when it does not exist. */
export function choosePayload(
  world: World,
  tx: Tx,
  id: string,
  version: PayloadVersion,
  personId: PersonId,
): Promise<WebhookEndpoint | null> {
  return change(world, tx, personId, 'webhook_payload_chosen', {
    name: 'choose_payload',
    text: `update webhook_endpoints set payload_version = $2 where id = $1 and removed_at is null
           returning ${endpointColumns}`,
    values: [id, version],
  });
}

/** Removes an endpoint. `closeRemoved` ends its pending deliveries. Null when it does not exist. */
export function removeEndpoint(world: World, tx: Tx, id: string, personId: PersonId): Promise<WebhookEndpoint | null> {
  return change(world, tx, personId, 'webhook_removed', {
    name: 'remove_endpoint',
    text: `update webhook_endpoints set removed_at = $2 where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, world.clock.now()],
  });
}

const closedAtOnce = 5000;

/** Marks pending deliveries of removed endpoints as dead, in batches. Deliveries under way may end. */
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

/** Pauses an endpoint. Its deliveries are still recorded, and stay pending. Null when it does not exist. */
export function pauseEndpoint(world: World, tx: Tx, id: string, personId: PersonId): Promise<WebhookEndpoint | null> {
  return change(world, tx, personId, 'webhook_paused', {
    name: 'pause_endpoint',
    text: `update webhook_endpoints set paused_at = coalesce(paused_at, $2), paused_by = coalesce(paused_by, 'operator')
           where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, world.clock.now()],
  });
}

/**
 * Resumes an endpoint. Its deliveries are due at once, oldest first: `makeRetriesDue` does this for the retries that are left after
 * the first portion. Ends its streak of failures.
 */
export async function resumeEndpoint(
  world: World,
  tx: Tx,
  id: string,
  personId: PersonId,
): Promise<WebhookEndpoint | null> {
  const wasPaused = await isPaused(tx, id);
  const resumed = await change(world, tx, personId, 'webhook_resumed', {
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
  // In this transaction, so that no worker takes later deliveries before them.
  if (wasPaused) await makePortionDue(tx, id, world.clock.now(), latest);
  return resumed;
}

/** A delivery among those of an endpoint, in the order in which they are due. */
interface Place {
  next_attempt_at: string;
  id: string;
}

const latest: Place = { next_attempt_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const lookedAtOnce = 5000;

/**
 * Makes the retries of an endpoint due that was paused and resumed at a time, in batches. Deliveries that were attempted since
 * then keep their delay. If the process ends meanwhile, the rest keep theirs too.
 */
export async function makeRetriesDue(db: Queryable, id: string, resumedAt: Date): Promise<void> {
  let place: Place | null = latest;
  while (place !== null) place = await makePortionDue(db, id, resumedAt, place);
}

/**
 * Looks at the pending deliveries before a place, the latest first. Those that failed are due since they were enqueued then, which
 * puts them before later deliveries. This includes delays that passed during the pause. Returns the place to continue from, or
 * null at the end.
 */
async function makePortionDue(db: Queryable, id: string, resumedAt: Date, before: Place): Promise<Place | null> {
  const rows = await db.query<Place>({
    name: 'make_retries_due',
    text: `with looked as materialized (
             select id, next_attempt_at from webhook_deliveries
             where endpoint_id = $1 and status = 'pending' and next_attempt_at <= $4 and (next_attempt_at, id) < ($4, $5)
             order by next_attempt_at desc, id desc limit $3
           ), retries as materialized (
             select d.id from looked join webhook_deliveries d on d.id = looked.id
             where d.status = 'pending' and d.next_attempt_at > d.created_at and d.lease_id is null
               and not exists (select from webhook_attempts a where a.delivery_id = d.id and a.at >= $2)
             for update of d skip locked
           ), due as (
             update webhook_deliveries set next_attempt_at = least(created_at, ${dueAtOnce('$2')})
             where id in (select id from retries)
           )
           select next_attempt_at, id from looked order by next_attempt_at, id limit 1`,
    values: [id, resumedAt, lookedAtOnce, before.next_attempt_at, before.id],
  });
  return rows[0] ?? null;
}

/**
 * Replaces the signing secret. Returns the endpoint with the new secret, which is shown only now, or null when it does not
 * exist. Deliveries are signed with every valid secret: a replaced one stays valid for 24 hours. Throws a `Refusal` when
 * three secrets are valid already.
 */
export async function rollSecret(
  world: World,
  tx: Tx,
  secretBox: SecretBox,
  id: string,
  personId: PersonId,
): Promise<(WebhookEndpoint & { secret: string }) | null> {
  const secret = generateSecret(world.random);
  const now = world.clock.now();
  const previousUntil = new Date(now.getTime() + rolledSecretHours * 3_600_000);
  // The oldest secret ends first: while it is valid, both replaced secrets are. The lock makes concurrent rolls wait.
  const [full] = await tx.query<{ isFull: boolean }>({
    name: 'lock_endpoint_for_roll',
    text: `select coalesce(oldest_secret_until > $2, false) as "isFull" from webhook_endpoints
           where id = $1 and removed_at is null for no key update`,
    values: [id, now],
  });
  if (full?.isFull) throw new Refusal(tooManySecrets);
  const rolled = await change(world, tx, personId, 'webhook_secret_rolled', {
    name: 'roll_secret',
    text: `update webhook_endpoints set secret = $2, previous_secret = secret, previous_secret_until = $3,
             oldest_secret = case when previous_secret_until > $4 then previous_secret end,
             oldest_secret_until = case when previous_secret_until > $4 then previous_secret_until end
           where id = $1 and removed_at is null returning ${endpointColumns}`,
    values: [id, secretBox.encrypt(secret, secretContext(id)), previousUntil, now],
  });
  return rolled && { ...rolled, secret };
}

const tooManySecrets = `${validSecretsMax} secrets are valid already. You can roll again when the oldest ends, at most ${rolledSecretHours} hours after it was replaced`;

async function change(
  world: World,
  tx: Tx,
  personId: PersonId,
  action: AccountAction,
  statement: Statement<WebhookEndpoint>,
): Promise<WebhookEndpoint | null> {
  const [changed] = await tx.query(statement);
  if (changed === undefined) return null;
  await auditEndpoint(world, tx, changed, action, personId);
  return changed;
}
