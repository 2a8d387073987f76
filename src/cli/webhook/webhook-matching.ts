import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { World } from '../../platform/world.ts';
import type { Database } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { type AnswerClass, answerClasses, type DeliveryFilter } from '../../webhooks/delivery-filter.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/delivery-status.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { findEndpoint } from '../../webhooks/manage-endpoints.ts';
import { countMatching, type MatchingDeliveries, redeliverPortion } from '../../webhooks/redeliver-matching.ts';
import { redeliveredMax, searchedMax, TooManyEvents } from '../../webhooks/redelivery-limits.ts';
import { instantOf, oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';
import { remarkPaused } from './remark-paused.ts';

export interface FilterOptions {
  status?: DeliveryStatus;
  event?: EventType;
  answer?: AnswerClass;
  search?: string;
  from?: Timestamp;
  to?: Timestamp;
}

/** Adds the filters of an endpoint's deliveries to a command. */
export function withDeliveryFilter(command: Command): Command {
  return command
    .option(
      '--status <status>',
      `only deliveries with one of these statuses: ${deliveryStatuses.join(', ')}`,
      oneOf('--status', deliveryStatuses),
    )
    .option('--event <event>', `only events of this type: ${eventTypes.join(', ')}`, oneOf('--event', eventTypes))
    .option(
      '--answer <class>',
      `only those whose last attempt was answered so, or not at all: ${answerClasses.join(', ')}`,
      oneOf('--answer', answerClasses),
    )
    .option('--search <id>', 'only deliveries of the event with this id, or about the document with this id', idOf)
    .option(
      '--from <time>',
      'only deliveries created at this time or later, RFC 3339 with its zone',
      instantOf('--from'),
    )
    .option('--to <time>', 'only deliveries created before this time', instantOf('--to'));
}

function idOf(value: string): string {
  if (isUuid(value.trim())) return value.trim();
  throw new UsageError('--search must be the id of an event or a document');
}

export function readDeliveryFilter({ status, event, answer, search, from, to }: FilterOptions): DeliveryFilter {
  return {
    status: status ?? null,
    event: event ?? null,
    answer: answer ?? null,
    about: search ?? null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  };
}

/** The verb that redelivers what a filter finds. */
export function defineMatching(webhook: Command): void {
  withDeliveryFilter(webhook.command('redeliver-matching <id>'))
    .description(
      `redeliver the events of an endpoint's deliveries that match a filter, at most ${redeliveredMax} at once`,
    )
    .option('--dry-run', 'only count them')
    .action(async (id: string, options: FilterOptions & { dryRun?: boolean }, command: Command) => {
      const { dryRun = false } = options;
      const done = await withDatabase(async ({ world, db }) => {
        const endpoint = await byId('webhook endpoint', id, () => findEndpoint(db, id));
        const matching = { endpoint, filter: readDeliveryFilter(options), countedAt: world.clock.now() };
        const events = await countUnlessTooMany(db, matching);
        const redelivered = dryRun ? 0 : await redeliverAll(world, db, matching);
        if (redelivered > 0) await remarkPaused(db, id);
        return { id, events, redelivered };
      });
      answer(command, done, ({ events, redelivered }) =>
        dryRun
          ? `${events === 1 ? '1 event matches' : `${events} events match`}\n`
          : `${redelivered === 1 ? '1 event is' : `${redelivered} events are`} to be delivered again\n`,
      );
    });
}

/** Each portion is a transaction, so an interrupted command leaves whole ones. */
async function redeliverAll(world: World, db: Database, matching: MatchingDeliveries): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const portion: Awaited<ReturnType<typeof redeliverPortion>> = await redeliverPortion(
      world,
      db,
      matching,
      after,
      null,
    );
    total += portion.redelivered;
    after = portion.next;
  } while (after !== null);
  return total;
}

async function countUnlessTooMany(db: Database, matching: MatchingDeliveries): Promise<number> {
  try {
    return await countMatching(db, matching);
  } catch (error) {
    if (error instanceof TooManyEvents) throw new Refusal(tooMany);
    throw error;
  }
}

const tooMany = `more than ${redeliveredMax} events match, or more than ${searchedMax} deliveries would have to be searched: choose a shorter time range with --from and --to`;
