import type { Command } from 'commander';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { listDeliveries } from '../../webhooks/deliveries.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { findEndpoint } from '../../webhooks/manage-endpoints.ts';
import { redeliver } from '../../webhooks/redeliver.ts';
import { redeliverFailed } from '../../webhooks/redeliver-failed.ts';
import { sendTestEvent } from '../../webhooks/send-test-event.ts';
import { instantOf, oneOf, positiveInteger } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, remark } from '../core/terminal.ts';
import { remarkPaused } from './remark-paused.ts';
import { defineMatching, type FilterOptions, readDeliveryFilter, withDeliveryFilter } from './webhook-matching.ts';
import { deliveryJson, showDeliveries, showDelivery } from './webhook-view.ts';

type ListOptions = FilterOptions & { limit?: number };

const endpointKind = 'webhook endpoint';
const limitDefault = 10_000;

/** The verbs of `webhook` for deliveries. */
export function defineDeliveries(webhook: Command): void {
  withDeliveryFilter(webhook.command('deliveries <id>'))
    .description('list the deliveries of an endpoint with every attempt, newest first')
    .option('--limit <n>', `maximum number of results, ${limitDefault} by default`, positiveInteger('--limit'))
    .action(async (id: string, { limit, ...options }: ListOptions, command: Command) => {
      const filter = readDeliveryFilter(options);
      const deliveries = await withDatabase(({ db }) =>
        byId(endpointKind, id, () => listDeliveries(db, id, filter, limit ?? limitDefault)),
      );
      if (limit === undefined && deliveries.length === limitDefault) {
        remark(`these are the newest ${limitDefault}: --limit shows more`);
      }
      answer(command, deliveries.map(deliveryJson), showDeliveries);
    });

  webhook
    .command('redeliver <delivery-id>')
    .description('redeliver an event to the same endpoint, with the same id and body')
    .action(async (id: string, _options, command: Command) => {
      const fresh = await withDatabase(async ({ world, db }) => {
        const again = () => db.transaction((tx) => redeliver(world, tx, id, null));
        const delivery = await byId('delivery', id, again);
        await remarkPaused(db, delivery.endpoint_id);
        return delivery;
      });
      answer(command, deliveryJson(fresh), showDelivery);
    });

  webhook
    .command('redeliver-failed <id>')
    .description('redeliver every event that an endpoint missed since a time')
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

  defineMatching(webhook);

  webhook
    .command('test <id>')
    .description('send an endpoint a test event with a sample document, whatever events it subscribed to')
    .option('--event <event>', `one of ${eventTypes.join(', ')}`, oneOf('--event', eventTypes), 'document.completed')
    .action(async (id: string, { event }: { event: EventType }, command: Command) => {
      const { testDocument } = await import('../../documents/test-document.ts');
      const delivery = await withDatabase(async ({ world, db }) => {
        const delivery = await byId(endpointKind, id, () =>
          sendTestEvent(world, db, id, event, testDocument(world, event)),
        );
        await remarkPaused(db, id);
        return delivery;
      });
      answer(command, deliveryJson(delivery), showDelivery);
    });
}

function eventCount(events: number): string {
  if (events === 0) return 'nothing is';
  return events === 1 ? '1 event is' : `${events} events are`;
}
