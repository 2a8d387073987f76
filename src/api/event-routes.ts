import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTier, type PlanTable } from '../accounts/plans.ts';
import { documentsChannel } from '../documents/audit.ts';
import type { LiveUpdates } from '../documents/live-updates.ts';
import { testDocument } from '../documents/test-document.ts';
import { ApiError } from '../errors.ts';
import { readJsonBody } from '../http/json-body.ts';
import { isUuid } from '../platform/ids.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { rateHeaders } from '../usage/rate-state.ts';
import { type EventType, eventTypes, isEventType } from '../webhooks/event-types.ts';
import { type EventFollower, followEvents } from '../webhooks/follow-events.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Admit } from './admission.ts';
import type { Caller } from './caller.ts';
import { requireScope } from './pipeline.ts';

export interface EventRoutesOptions {
  world: World;
  database: Database;
  guardIp: (ip: string) => void;
  admit: Admit;
  live: LiveUpdates;
  plans: PlanTable;
}

const heartbeatMs = 20_000;
const reconnectMs = 2000;
/** A stream whose client reads too slowly ends, and the client continues it with `Last-Event-ID`. */
const unreadBytesMax = 8 * 2 ** 20;

/**
 * The events of a company for programs without a public address, such as `countersign listen`. They are next to the API, not part
 * of version 1.
 *
 * - `GET /events` is a stream of server-sent events. The data of each is the body of the webhook request, byte for byte.
 * - `POST /events` records a test event, for streams and for the endpoints that chose its type. It needs a test key.
 */
export async function eventRoutes(app: FastifyInstance, options: EventRoutesOptions): Promise<void> {
  const { world, database } = options;

  app.get('/events', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await admitted(request, reply, options);
    requireScope(caller, 'documents:read');
    const follower = await followEvents(database, caller.accountId, lastEventId(request), world.clock.now());
    return reply
      .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(streamOf(caller, follower, options));
  });

  app.post('/events', async (request, reply) => {
    const caller = await admitted(request, reply, options);
    requireScope(caller, 'documents:write');
    if (caller.mode !== 'test') throw new ApiError('test_key_required');
    const type = readEventType(request);
    const document = testDocument(world, type);
    const id = await database.transaction(async (tx) => {
      tx.notify(documentsChannel, caller.accountId);
      return recordEvent(world, tx, { accountId: caller.accountId, documentId: null, type, document });
    });
    return reply.code(201).send({ object: 'event', id, event: type });
  });
}

async function admitted(request: FastifyRequest, reply: FastifyReply, options: EventRoutesOptions): Promise<Caller> {
  options.guardIp(request.ip);
  const { rate, outcome } = await options.admit(request.headers.authorization);
  if (rate !== null) reply.headers(rateHeaders(rate));
  if ('refused' in outcome) throw outcome.refused;
  return outcome.caller;
}

/** What a client got last before its connection broke. An id that no event can have starts with the next event. */
function lastEventId({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id'];
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null;
}

function readEventType(request: FastifyRequest): EventType {
  const body = readJsonBody(request);
  if (body === undefined) throw new ApiError('invalid_json', { message: 'The request has no body.' });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('invalid_body');
  const { event } = body as { event?: unknown };
  if (typeof event === 'string' && isEventType(event)) return event;
  throw new ApiError('invalid_event', { param: 'event', message: `event must be one of ${eventTypes.join(', ')}.` });
}

/**
 * Streams what `follower` finds after each change in the account, until the client leaves, the key ends or the company's plan has no
 * API access any more.
 */
function streamOf(caller: Caller, follower: EventFollower, options: EventRoutesOptions): PassThrough {
  const { world, live } = options;
  const stream = new PassThrough();
  let isReading = false;
  let isAskedAgain = false;

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      do {
        isAskedAgain = false;
        if (!(await isStillValid(options, caller))) stream.end();
        if (stream.writableEnded) return;
        for (let events = await follower.next(); events.length > 0; events = await follower.next()) {
          for (const { id, type, body } of events) stream.write(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`);
          if (stream.writableLength > unreadBytesMax) stream.end();
          if (stream.writableEnded) return;
        }
      } while (isAskedAgain);
    } finally {
      isReading = false;
    }
  }

  /** After a failure the stream ends. The client reconnects and continues where it was. */
  function read(): void {
    isAskedAgain = true;
    if (isReading) return;
    readAll().catch((error) => {
      world.log.warn('an event stream ended early', { error });
      stream.end();
    });
  }

  const unwatch = live.watch({
    accountId: caller.accountId,
    watcherId: caller.keyId,
    tell: read,
    end: () => stream.end(),
  });
  if (unwatch === null) {
    const message = 'This API key has too many open event streams. Close one of them.';
    throw new ApiError('rate_limit_exceeded', { message, retryAfterSeconds: 60 });
  }
  const heartbeat = setInterval(() => {
    stream.write(': still here\n\n');
    read();
  }, heartbeatMs);
  stream.once('close', () => {
    clearInterval(heartbeat);
    unwatch();
  });
  stream.write(`retry: ${reconnectMs}\n\n`);
  read();
  return stream;
}

async function isStillValid({ world, database, plans }: EventRoutesOptions, { keyId }: Caller): Promise<boolean> {
  const [account] = await database.query<{ tier: string }>({
    name: 'key_still_valid',
    text: `select a.tier from api_keys k join accounts a on a.id = k.account_id and a.removed_at is null
           where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
    values: [keyId, world.clock.now()],
  });
  return account !== undefined && isTier(account.tier) && plans[account.tier].api;
}
