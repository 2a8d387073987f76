import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTier, type PlanTable } from '../accounts/plans.ts';
import { documentsChannel } from '../documents/audit.ts';
import type { LiveUpdates, TooMany } from '../documents/live-updates.ts';
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
  /**
   * Time limit for a client to read what was sent. After it the stream is cut, and the client continues it with `Last-Event-ID`.
   * A minute unless set.
   */
  unreadMsMax?: number;
}

const heartbeatMs = 20_000;
const reconnectMs = 2000;
const unreadMsMaxDefault = 60_000;
/** Streams stay open for long. */
const retryAfterSeconds = 60;

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
    options.guardIp(request.ip);
    if (options.live.isFull()) throw tooManyStreams('of_process'); // before the request costs anything
    const caller = await admitted(request, reply, options);
    requireScope(caller, 'documents:read');
    const follower = await followEvents(database, caller.accountId, lastEventId(request), world.clock.now());
    return reply
      .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(streamOf(caller, follower, options));
  });

  app.post('/events', async (request, reply) => {
    options.guardIp(request.ip);
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
  const { world, live, unreadMsMax = unreadMsMaxDefault } = options;
  const stream = new PassThrough();
  let isReading = false;
  let isAskedAgain = false;

  const isOver = () => stream.writableEnded || stream.destroyed;

  async function checkKey(): Promise<void> {
    if (!(await isStillValid(options, caller))) stream.end();
  }

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      do {
        isAskedAgain = false;
        await checkKey();
        if (isOver()) return;
        for (let events = await follower.next(); events.length > 0; events = await follower.next()) {
          for (const { id, type, body } of events) {
            if (isOver()) return;
            stream.write(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`);
            if (!stream.writableNeedDrain) continue;
            await drained(stream, unreadMsMax);
            await checkKey();
          }
          if (isOver()) return;
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
    via: 'api',
    tell: read,
    end: () => stream.end(),
  });
  if (typeof unwatch === 'string') throw tooManyStreams(unwatch);
  const heartbeat = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(': still here\n\n');
    read();
  }, heartbeatMs);
  stream.once('close', () => {
    clearInterval(heartbeat);
    unwatch();
  });
  // A block without data sets only the last id: a client whose connection breaks before the first event continues from here.
  stream.write(`retry: ${reconnectMs}\nid: ${follower.position}\n\n`);
  read();
  return stream;
}

/** Waits until the client has read what was sent. Returns also when the stream is closed, as it is after `unreadMsMax`. */
function drained(stream: PassThrough, unreadMsMax: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.destroy(), unreadMsMax);
    const end = () => {
      clearTimeout(timer);
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });
}

function tooManyStreams(which: TooMany): ApiError {
  switch (which) {
    case 'of_watcher':
      return rateLimited('This API key has too many open event streams. Close one of them.');
    case 'of_company':
      return rateLimited('The API keys of this company have too many open event streams. Close one of them.');
    case 'of_process': {
      const message = 'The server has as many open event streams as it can serve. Try again after a moment.';
      return new ApiError('server_busy', { message, retryAfterSeconds });
    }
  }
}

const rateLimited = (message: string) => new ApiError('rate_limit_exceeded', { message, retryAfterSeconds });

async function isStillValid({ world, database, plans }: EventRoutesOptions, { keyId }: Caller): Promise<boolean> {
  const [account] = await database.query<{ tier: string }>({
    name: 'key_still_valid',
    text: `select a.tier from api_keys k join accounts a on a.id = k.account_id and a.removed_at is null
           where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
    values: [keyId, world.clock.now()],
  });
  return account !== undefined && isTier(account.tier) && plans[account.tier].api;
}
