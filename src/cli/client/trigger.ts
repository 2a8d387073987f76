import type { Command } from 'commander';
import { ApiError } from '../../../packages/client/src/index.ts';
import { Refusal } from '../../errors.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import { oneOf } from '../core/arguments.ts';
import { answer } from '../core/terminal.ts';
import { offerProfile } from './api-command.ts';
import { type ConnectionOptions, findConnection, refusalOf } from './connection.ts';
import { triggerEvent } from './events-api.ts';

const testKeyAdvice = 'Store one with "login --profile test", and give --profile test';

export function define(trigger: Command): void {
  offerProfile(trigger)
    .description('send a test event to countersign listen and to the endpoints that chose it; needs a test key')
    .argument('<event>', eventTypes.join(', '), oneOf('the event', eventTypes))
    .action(async (event: EventType, options: ConnectionOptions, command: Command) => {
      const connection = await findConnection(options);
      const recorded = await triggerEvent(connection, event).catch((error) => {
        const refusal = refusalOf(error, connection);
        const isLiveKey = error instanceof ApiError && error.code === 'test_key_required';
        throw isLiveKey ? new Refusal(`${(refusal as Refusal).message} ${testKeyAdvice}`) : refusal;
      });
      answer(command, recorded, ({ id }) => `sent ${event} (${id})\n`);
    });
}
