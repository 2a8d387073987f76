import { Type } from 'typebox';
import { Refusal } from '../../errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { countLastDay, readAttemptHistory } from '../../webhooks/attempt-counts.ts';
import { type AcceptedUrl, checkEndpointUrl } from '../../webhooks/check-endpoint-url.ts';
import { rolledSecretHours, type WebhookEndpoint } from '../../webhooks/endpoint.ts';
import { rateLimitMax } from '../../webhooks/endpoint-pace.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import {
  chooseEvents,
  choosePayload,
  closeRemoved,
  findEndpoint,
  isPaused,
  limitEndpoint,
  listEndpoints,
  makeRetriesDue,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rollSecret,
} from '../../webhooks/manage-endpoints.ts';
import { payloadVersions } from '../../webhooks/payload-versions.ts';
import { registerEndpoint } from '../../webhooks/register-endpoint.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { assertSelfServe } from '../core/self-serve.ts';
import { lockAccess } from '../core/still-may.ts';
import { hostConcernJson } from './host-concern-json.ts';

const urlLengthMax = 2048;
const events = Type.Array(Type.Enum([...eventTypes]), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
});
const perSecond = Type.Union([Type.Integer({ minimum: 1, maximum: rateLimitMax }), Type.Null()]);
const payloadVersion = Type.Union(payloadVersions.map((version) => Type.Literal(version)));
const newEndpoint = Type.Object({ url: Type.String({ minLength: 1, maxLength: urlLengthMax }), events });

/** Webhook endpoints of the company. There are ten at most, so the list is one page. */
export const webhookEndpoints = [
  forMembers('GET /webhooks', 'admin', {}, list),
  forMembers('GET /webhooks/:id/attempts', 'admin', {}, async ({ world, db }, call) =>
    readAttemptHistory(db, await findOwnEndpoint(db, call), world.clock.now()),
  ),
  forMembers('POST /webhooks', 'admin', { body: newEndpoint, needsFreshSignIn: true }, add),
  forMembers('POST /webhooks/:id/events', 'admin', { body: Type.Object({ events }) }, (deps, call) =>
    change(deps, call, (tx, id, personId) => chooseEvents(deps.world, tx, id, inOrder(call.body.events), personId)),
  ),
  forMembers('POST /webhooks/:id/limit', 'admin', { body: Type.Object({ per_second: perSecond }) }, (deps, call) =>
    change(deps, call, (tx, id, personId) => limitEndpoint(deps.world, tx, id, call.body.per_second, personId)),
  ),
  forMembers('POST /webhooks/:id/payload', 'admin', { body: Type.Object({ version: payloadVersion }) }, (deps, call) =>
    change(deps, call, (tx, id, personId) => choosePayload(deps.world, tx, id, call.body.version, personId)),
  ),
  forMembers('POST /webhooks/:id/pause', 'admin', {}, (deps, call) =>
    change(deps, call, (tx, id, personId) => pauseEndpoint(deps.world, tx, id, personId)),
  ),
  forMembers('POST /webhooks/:id/resume', 'admin', {}, resume),
  forMembers('POST /webhooks/:id/roll', 'admin', { needsFreshSignIn: true }, roll),
  forMembers('DELETE /webhooks/:id', 'admin', {}, remove),
];

/** Lists the endpoints with their attempts of the last 24 hours. */
async function list({ world, db }: ConsoleDeps, { caller }: MemberCall) {
  const accountId = caller.membership.account_id;
  const [endpoints, counts] = await Promise.all([
    listEndpoints(db, accountId),
    countLastDay(db, accountId, world.clock.now()),
  ]);
  return {
    data: endpoints.map((endpoint) => ({
      ...endpointJson(endpoint),
      last_day: counts.get(endpoint.id) ?? { delivered: 0, failed: 0 },
    })),
  };
}

/** Finds an endpoint of the caller's company that is not removed. Throws `not_found`. */
export async function findOwnEndpoint(db: Queryable, { caller, params }: MemberCall): Promise<WebhookEndpoint> {
  const { id = '' } = params;
  const endpoint = isUuid(id) ? await findEndpoint(db, id) : null;
  if (endpoint?.account_id !== caller.membership.account_id) throw new ConsoleError('not_found');
  return endpoint;
}

/** Adds an endpoint. The address is resolved before the transaction. The secret is shown only in this answer. */
async function add(deps: ConsoleDeps, call: MemberCall<{ url: string; events: EventType[] }>) {
  const { world, db } = deps;
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  await assertSelfServe(deps, db, accountId);
  const { url, concern } = await vet(deps, body.url);
  return db.transaction(async (tx) => {
    await lockAccess(tx, call);
    await assertSelfServe(deps, tx, accountId);
    const input = { accountId, url, events: inOrder(body.events) };
    const register = () => registerEndpoint(world, tx, deps, input, caller.person.id);
    const { secret, ...endpoint } = await unlessFull('too_many_endpoints', register);
    return { ...endpointJson(endpoint), secret, concern: concern && hostConcernJson(concern) };
  });
}

async function vet({ webhookUrls }: ConsoleDeps, url: string): Promise<AcceptedUrl> {
  try {
    return await checkEndpointUrl(url.trim(), webhookUrls);
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError('invalid_url', { param: 'url', cause: error });
    throw error;
  }
}

async function unlessFull<Result>(
  code: 'too_many_endpoints' | 'too_many_secrets',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError(code, { cause: error });
    throw error;
  }
}

function inOrder(wanted: readonly EventType[]): EventType[] {
  return eventTypes.filter((type) => wanted.includes(type));
}

async function change(
  deps: ConsoleDeps,
  call: MemberCall,
  apply: (tx: Tx, id: string, personId: string) => Promise<WebhookEndpoint | null>,
) {
  return deps.db.transaction(async (tx) => {
    const { id } = await findOwnEndpoint(tx, call);
    const changed = await apply(tx, id, call.caller.person.id);
    if (changed === null) throw new ConsoleError('not_found');
    return endpointJson(changed);
  });
}

/** Rolls the signing secret. The old one stays valid for 24 hours, so that the receiver can change over. */
async function roll(deps: ConsoleDeps, call: MemberCall) {
  return deps.db.transaction(async (tx) => {
    const { id } = await findOwnEndpoint(tx, call);
    const rolled = await unlessFull('too_many_secrets', () =>
      rollSecret(deps.world, tx, deps.secretBox, id, call.caller.person.id),
    );
    if (rolled === null) throw new ConsoleError('not_found');
    const { secret, ...endpoint } = rolled;
    return { ...endpointJson(endpoint), secret, old_secret_valid_hours: rolledSecretHours };
  });
}

/** Resumes an endpoint. Its retries are made due after the answer, because there may be a million. */
async function resume(deps: ConsoleDeps, call: MemberCall) {
  const resumedAt = deps.world.clock.now();
  let wasPaused = false;
  const resumed = await change(deps, call, async (tx, id, personId) => {
    wasPaused = await isPaused(tx, id);
    return resumeEndpoint(deps.world, tx, id, personId);
  });
  if (wasPaused) deps.afterwards(makeRetriesDue(deps.db, resumed.id, resumedAt));
  return resumed;
}

/** Removes an endpoint. Its pending deliveries are closed after the answer, because there may be a million. */
async function remove(deps: ConsoleDeps, call: MemberCall) {
  const removed = await change(deps, call, (tx, id, personId) => removeEndpoint(deps.world, tx, id, personId));
  deps.afterwards(closeRemoved(deps.world, deps.db));
  return removed;
}

function endpointJson(endpoint: WebhookEndpoint) {
  const { id, url, events, created_at, paused_at, paused_by, failing_since, rate_limit, payload_version } = endpoint;
  return { id, url, events, created_at, paused_at, paused_by, failing_since, rate_limit, payload_version };
}
