import type { Command } from 'commander';
import { testDocument } from '../documents/test-document.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { type DeliveryStatus, deliveryStatuses, listDeliveries } from '../webhooks/deliveries.ts';
import { type EventType, eventTypes } from '../webhooks/event-types.ts';
import { findEndpoint } from '../webhooks/manage-endpoints.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import { redeliverFailed } from '../webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../webhooks/send-test-event.ts';
import { instantOf, oneOf, positiveInteger } from './arguments.ts';
import { byId } from './by-id.ts';
import { withDatabase } from './session.ts';
import { answer, remark } from './terminal.ts';
import { deliveryJson, showDeliveries, showDelivery } from './webhook-view.ts';

interface ListOptions {
  status?: DeliveryStatus;
  limit?: number;
}

const endpointKind = 'webhook endpoint';
const limitDefault = 10_000;

/** The verbs of `webhook` that are about what was delivered. */
export function defineDeliveries(webhook: Command): void {
  webhook
    .command('deliveries <id>')
    .description('what was and is to be delivered to an endpoint, with every attempt; newest first')
    .option('--status <status>', `only those ${deliveryStatuses.join(', ')}`, oneOf('--status', deliveryStatuses))
    .option('--limit <n>', `at most so many; without it ${limitDefault}`, positiveInteger('--limit'))
    .action(async (id: string, { status, limit }: ListOptions, command: Command) => {
      const filter = { status: status ?? null, limit: limit ?? limitDefault };
      const deliveries = await withDatabase(({ db }) => byId(endpointKind, id, () => listDeliveries(db, id, filter)));
      if (limit === undefined && deliveries.length === limitDefault) {
        remark(`these are the newest ${limitDefault}: --limit shows more`);
      }
      answer(command, deliveries.map(deliveryJson), showDeliveries);
    });

  webhook
    .command('redeliver <delivery-id>')
    .description('deliver an event to the same endpoint once more, with the same id and body')
    .action(async (id: string, _options, command: Command) => {
      const fresh = await withDatabase(async ({ world, db }) => {
        const again = () => db.transaction((tx) => redeliver(world, tx, id, null));
        const owed = await byId('delivery', id, again);
        await remarkPaused(db, owed.endpoint_id);
        return owed;
      });
      answer(command, deliveryJson(fresh), showDelivery);
    });

  webhook
    .command('redeliver-failed <id>')
    .description('deliver again every event that an endpoint missed since a time')
    .requiredOption('--since <time>', 'when the event was recorded, RFC 3339 with its zone', instantOf('--since'))
    .action(async (id: string, { since }: { since: Timestamp }, command: Command) => {
      const redelivered = await withDatabase(async ({ world, db }) => {
        await byId(endpointKind, id, () => findEndpoint(db, id));
        const count = await redeliverFailed(world, db, id, since, null);
        if (count > 0) await remarkPaused(db, id);
        return count;
      });
      answer(command, { id, since, redelivered }, () => `${eventCount(redelivered)} to be delivered again\n`);
    });

  webhook
    .command('test <id>')
    .description('send an endpoint an event of a made-up document, whatever events it chose')
    .option('--event <event>', `one of ${eventTypes.join(', ')}`, oneOf('--event', eventTypes), 'document.completed')
    .action(async (id: string, { event }: { event: EventType }, command: Command) => {
      const owed = await withDatabase(async ({ world, db }) => {
        const delivery = await byId(endpointKind, id, () =>
          sendTestEvent(world, db, id, event, testDocument(world, event)),
        );
        await remarkPaused(db, id);
        return delivery;
      });
      answer(command, deliveryJson(owed), showDelivery);
    });
}

async function remarkPaused(db: Queryable, id: string): Promise<void> {
  const endpoint = await findEndpoint(db, id);
  if (endpoint?.paused_at) remark(`the endpoint is paused: this waits until countersign webhook resume ${id}`);
}

function eventCount(events: number): string {
  if (events === 0) return 'nothing is';
  return events === 1 ? '1 event is' : `${events} events are`;
}
