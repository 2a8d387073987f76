import type { Command } from 'commander';
import { defineVerbs, type VerbGroup } from '../core/verb-groups.ts';

const groups: VerbGroup[] = [
  {
    verbs: ['create', 'list', 'remove', 'pause', 'resume', 'choose-events', 'choose-payload', 'limit', 'roll'],
    load: async () => (await import('./webhook-endpoints.ts')).defineEndpoints,
  },
  {
    verbs: ['deliveries', 'redeliver', 'redeliver-failed', 'redeliver-matching', 'test'],
    load: async () => (await import('./webhook-deliveries.ts')).defineDeliveries,
  },
  {
    verbs: ['attempts'],
    load: async () => (await import('./webhook-attempts.ts')).defineAttempts,
  },
  {
    verbs: ['events', 'event', 'redeliver-events'],
    load: async () => (await import('./webhook-events.ts')).defineEvents,
  },
];

/** Webhook endpoints, their deliveries and events. */
export const define = (noun: Command, verb: string | undefined) => defineVerbs(noun, verb, groups);
