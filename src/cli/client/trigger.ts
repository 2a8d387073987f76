import type { Command } from 'commander';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { oneOf } from '../core/arguments.ts';
import { answer } from '../core/terminal.ts';
import { offerProfile } from './api-command.ts';
import { type ConnectionOptions, findConnection, refusalOf } from './connection.ts';
import { triggerEvent } from './events-api.ts';

export function define(trigger: Command): void {
  offerProfile(trigger)
    .description('send a test event to countersign listen and to the endpoints that chose it; needs a test key')
    .argument('<event>', eventTypes.join(', '), oneOf('the event', eventTypes))
    .action(async (event: EventType, options: ConnectionOptions, command: Command) => {
      const connection = await findConnection(options);
      const recorded = await triggerEvent(connection, event).catch((error) => {
        throw refusalOf(error, connection);
      });
      answer(command, recorded, ({ id }) => `sent ${event} (${id})\n`);
    });
}
