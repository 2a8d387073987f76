import type { Command } from 'commander';
import { eventDetailJson, eventJson } from '../../documents/event-json.ts';
import { type EventFilter, type LoggedEvent, readEventLog } from '../../documents/event-log.ts';
import { findLoggedEvent } from '../../documents/logged-event.ts';
import {
  findRedeliverable,
  type Redeliverable,
  type RedeliverOptions,
  redeliverEvents,
} from '../../documents/redeliver-events.ts';
import { Refusal } from '../../errors.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/delivery-status.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { findEndpoint } from '../../webhooks/manage-endpoints.ts';
import { redeliveredMax, searchedMax, TooManyEvents } from '../../webhooks/redelivery-limits.ts';
import { findCompany } from '../account/find-company.ts';
import { instantOf, oneOf, positiveInteger } from '../core/arguments.ts';
import { byId, noSuch } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { showEventDetail } from './webhook-view.ts';

interface FilterOptions {
  account: string;
  event?: EventType;
  status?: DeliveryStatus;
  search?: string;
  from?: Timestamp;
  to?: Timestamp;
}

type ListOptions = FilterOptions & { limit: number };
type RedeliverEventsOptions = FilterOptions & { endpoint?: string; dryRun?: boolean };

const limitDefault = 100;

/** The verbs of `webhook` for the event log. */
export function defineEvents(webhook: Command): void {
  withFilter(webhook.command('events'))
    .description("list a company's events with the status of their deliveries, newest first")
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), limitDefault)
    .action(async ({ limit, ...options }: ListOptions, command: Command) => {
      const events = await withDatabase(async ({ db }) => {
        await findCompany(db, options.account);
        return newestEvents(db, options.account, readFilter(options), limit);
      });
      answer(command, events.map(eventJson), (rows) => table(rows.map(eventRow), 'no events'));
    });

  webhook
    .command('event <id>')
    .description('show an event with its body and its deliveries to each endpoint')
    .requiredOption('--account <id>', 'the company')
    .action(async (id: string, { account }: { account: string }, command: Command) => {
      const found = await withDatabase(async ({ db }) => {
        await findCompany(db, account);
        return byId('event', id, () => findLoggedEvent(db, account, id));
      });
      answer(command, eventDetailJson(found), showEventDetail);
    });

  withFilter(webhook.command('redeliver-events'))
    .description(`redeliver the events that match a filter, at most ${redeliveredMax} at once`)
    .option('--endpoint <id>', 'only to this endpoint; without it, to all that subscribed to the event')
    .option('--dry-run', 'only count them')
    .action(async (options: RedeliverEventsOptions, command: Command) => {
      const { account, endpoint, dryRun = false } = options;
      const done = await withDatabase(async ({ world, db }) => {
        await findCompany(db, account);
        const endpointId = endpoint === undefined ? null : await ownEndpoint(db, account, endpoint);
        const wanted = { accountId: account, filter: readFilter(options), endpointId };
        const found = await findUnlessTooMany(db, wanted);
        const redelivered = dryRun ? 0 : await redeliverEvents(world, db, wanted, found, null);
        return { events: found.eventIds.length, deliveries: found.deliveries, redelivered };
      });
      answer(command, done, ({ events, deliveries, redelivered }) =>
        dryRun
          ? `${events} events would be redelivered in ${deliveries} deliveries\n`
          : `${redelivered} deliveries enqueued\n`,
      );
    });
}

function withFilter(command: Command): Command {
  return command
    .requiredOption('--account <id>', 'the company')
    .option('--event <event>', `only events of this type: ${eventTypes.join(', ')}`, oneOf('--event', eventTypes))
    .option(
      '--status <status>',
      'only events delivered everywhere, or pending or dead at one endpoint or more: delivered, pending, dead',
      oneOf('--status', deliveryStatuses),
    )
    .option('--search <text>', 'only events with this id, document id or words in the title of the document')
    .option('--from <time>', 'only events recorded at this time or later, RFC 3339 with its zone', instantOf('--from'))
    .option('--to <time>', 'only events recorded before this time', instantOf('--to'));
}

function readFilter({ event, status, search, from, to }: FilterOptions): EventFilter {
  return {
    type: event ?? null,
    status: status ?? null,
    text: search || null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  };
}

/** Searches in steps, so that no single query takes long. */
async function newestEvents(
  db: Queryable,
  accountId: string,
  filter: EventFilter,
  limit: number,
): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  let afterId: string | null = null;
  do {
    const { rows, lookedTo } = await readEventLog(db, accountId, filter, { afterId, limit: limit - found.length });
    found.push(...rows);
    afterId = lookedTo;
  } while (afterId !== null && found.length < limit);
  return found;
}

async function ownEndpoint(db: Queryable, accountId: string, id: string): Promise<string> {
  const endpoint = await byId('webhook endpoint', id, () => findEndpoint(db, id));
  if (endpoint.account_id !== accountId) throw noSuch('webhook endpoint', id);
  return endpoint.id;
}

async function findUnlessTooMany(db: Queryable, wanted: RedeliverOptions): Promise<Redeliverable> {
  try {
    return await findRedeliverable(db, wanted);
  } catch (error) {
    if (error instanceof TooManyEvents) throw new Refusal(tooMany);
    throw error;
  }
}

const tooMany = `more than ${redeliveredMax} events match, or more than ${searchedMax} would have to be searched: choose a shorter time range with --from and --to`;

function eventRow({ created_at, event, status, id, document }: ReturnType<typeof eventJson>) {
  const about = document === null ? 'test event' : document.is_restricted ? 'restricted' : document.title;
  return { id, created_at, event, status, document_id: document?.id, document: about };
}
