import type { Command } from 'commander';
import { readPlanTable } from '../../accounts/plans.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { createHostResolver } from '../../public-fetch/public-fetch.ts';
import { checkEndpointUrl } from '../../webhooks/check-endpoint-url.ts';
import { rolledSecretHours, type WebhookEndpoint } from '../../webhooks/endpoint.ts';
import { rateLimitMax } from '../../webhooks/endpoint-pace.ts';
import { type EventType, eventTypes } from '../../webhooks/event-types.ts';
import {
  chooseEvents,
  choosePayload,
  closeRemoved,
  isPaused,
  limitEndpoint,
  listEndpoints,
  makeRetriesDue,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rollSecret,
} from '../../webhooks/manage-endpoints.ts';
import { type PayloadVersion, payloadVersions } from '../../webhooks/payload-versions.ts';
import { registerEndpoint } from '../../webhooks/register-endpoint.ts';
import { findCompany } from '../account/find-company.ts';
import { eventsOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, oneLine, remark } from '../core/terminal.ts';
import { endpointJson, showEndpoint, showEndpoints } from './webhook-view.ts';

interface CreateOptions {
  account: string;
  url: string;
  events: readonly EventType[];
}

/** Time limit of the name lookup. */
const lookupMs = 3000;
const endpointKind = 'webhook endpoint';

export function defineEndpoints(webhook: Command): void {
  webhook
    .command('create')
    .description('register an endpoint; its signing secret is shown only once')
    .requiredOption('--account <id>', 'the company whose events it gets; it needs the Team plan or above')
    .requiredOption('--url <url>', 'a public https address')
    .requiredOption('--events <list>', `all, or some of ${eventTypes.join(',')}`, eventsOf)
    .action(async (options: CreateOptions, command: Command) => {
      const { secret, ...created } = await withDatabase((session) => create(session, options));
      answer(command, { ...endpointJson(created), secret }, (shown) => `${showEndpoint(shown)}\n${keepIt}\n`);
    });

  webhook
    .command('list')
    .description("list a company's endpoints with their state")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const endpoints = await withDatabase(async ({ db }) => {
        await findCompany(db, account);
        return listEndpoints(db, account);
      });
      answer(command, endpoints.map(endpointJson), showEndpoints);
    });

  webhook
    .command('remove <id>')
    .description('remove an endpoint permanently; pending deliveries are dropped')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase(async ({ world, db }) => {
        const remove = () => db.transaction((tx) => removeEndpoint(world, tx, id, null));
        const endpoint = await byId(endpointKind, id, remove);
        await closeRemoved(world, db);
        return endpoint;
      });
      answer(command, endpointJson(removed), ({ url }) => `removed: nothing more is delivered to ${oneLine(url)}\n`);
    });

  webhook
    .command('pause <id>')
    .description('pause deliveries; new events are recorded and wait')
    .action(async (id: string, _options, command: Command) => {
      await change(command, id, (world, tx) => pauseEndpoint(world, tx, id, null));
    });

  webhook
    .command('resume <id>')
    .description('resume deliveries, oldest first')
    .action(async (id: string, _options, command: Command) => {
      const resumed = await withDatabase(async ({ world, db }) => {
        const resumedAt = world.clock.now();
        let wasPaused = false;
        const resume = () =>
          db.transaction(async (tx) => {
            wasPaused = await isPaused(tx, id);
            return resumeEndpoint(world, tx, id, null);
          });
        const endpoint = await byId(endpointKind, id, resume);
        if (wasPaused) await makeRetriesDue(db, endpoint.id, resumedAt);
        return endpoint;
      });
      answer(command, endpointJson(resumed), showEndpoint);
    });

  webhook
    .command('choose-events <id>')
    .description('change the events of an endpoint, starting with the next event')
    .requiredOption('--events <list>', `all, or some of ${eventTypes.join(',')}`, eventsOf)
    .action(async (id: string, { events }: Pick<CreateOptions, 'events'>, command: Command) => {
      await change(command, id, (world, tx) => chooseEvents(world, tx, id, events, null));
    });

  webhook
    .command('choose-payload <id>')
    .description('change what deliveries contain, starting with the next event')
    .requiredOption('--payload <version>', '1 (the document as the API shows it) or 2 (only its ID)', payloadOf)
    .action(async (id: string, { payload }: { payload: PayloadVersion }, command: Command) => {
      await change(command, id, (world, tx) => choosePayload(world, tx, id, payload, null));
    });

  webhook
    .command('limit <id>')
    .description('limit the deliveries per second, or remove the limit')
    .requiredOption('--per-second <n>', `none, or a whole number from 1 to ${rateLimitMax}`, perSecondOf)
    .action(async (id: string, { perSecond }: { perSecond: number | 'none' }, command: Command) => {
      const limit = perSecond === 'none' ? null : perSecond;
      await change(command, id, (world, tx) => limitEndpoint(world, tx, id, limit, null));
    });

  webhook
    .command('roll <id>')
    .description(
      `replace the signing secret; the old one stays valid for ${rolledSecretHours} hours, and at most three are valid at once`,
    )
    .action(async (id: string, _options, command: Command) => {
      const { secret, ...rolled } = await withDatabase(async ({ config, world, db }) => {
        const { secretBox, concern } = await openSecretBox({ config, world, db });
        const roll = () => db.transaction((tx) => rollSecret(world, tx, secretBox, id, null));
        const endpoint = await byId(endpointKind, id, roll);
        remarkOn(concern);
        return endpoint;
      });
      answer(command, { ...endpointJson(rolled), secret }, (shown) => `${showEndpoint(shown)}\n${bothAreValid}\n`);
    });
}

function perSecondOf(value: string): number | 'none' {
  if (value === 'none') return value;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= rateLimitMax) return number;
  throw new UsageError(`--per-second must be none or a whole number from 1 to ${rateLimitMax}`);
}

function payloadOf(value: string): PayloadVersion {
  const version = payloadVersions.find((known) => String(known) === value);
  if (version === undefined) throw new UsageError(`--payload must be ${payloadVersions.join(' or ')}`);
  return version;
}

const keepIt = 'Keep the secret now: it is not shown again.';
const bothAreValid = `${keepIt} For ${rolledSecretHours} hours each delivery also
carries a signature made with the old secret: give the receiver the new one before then.`;

async function create({ config, world, db }: Session, { account, url: text, events }: CreateOptions) {
  await findCompany(db, account);
  const resolver = createHostResolver({ timeoutMs: lookupMs });
  const { url, concern } = await checkEndpointUrl(text, { allowPrivate: config.webhookAllowPrivate, resolver });
  const { secretBox, concern: keyConcern } = await openSecretBox({ config, world, db });
  const means = { plans: readPlanTable(config.plansFile), secretBox };
  const endpoint = { accountId: account, url, events };
  const created = await db.transaction((tx) => registerEndpoint(world, tx, means, endpoint, null));
  remarkOn(concern?.text ?? null);
  remarkOn(keyConcern);
  return created;
}

/** Printed only with a result: a refusal is one line. */
function remarkOn(concern: string | null): void {
  if (concern !== null) remark(concern);
}

async function change(
  command: Command,
  id: string,
  apply: (world: World, tx: Tx) => Promise<WebhookEndpoint | null>,
): Promise<void> {
  const changed = await withDatabase(({ world, db }) =>
    byId(endpointKind, id, () => db.transaction((tx) => apply(world, tx))),
  );
  answer(command, endpointJson(changed), showEndpoint);
}
