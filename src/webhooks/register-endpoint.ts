import type { PlanTable, Tier } from '../accounts/plans.ts';
import { Refusal } from '../errors.ts';
import { randomBase62 } from '../platform/base62.ts';
import type { Random } from '../platform/random.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { endpointColumns, endpointsMax, secretContext, type WebhookEndpoint } from './endpoint.ts';
import type { EventType } from './event-types.ts';

export interface NewEndpoint {
  accountId: string;
  /** Checked by the caller, because the check needs the network and no transaction may wait for that. */
  url: string;
  events: readonly EventType[];
}

/**
 * Registers an endpoint for an account. Returns it with its secret, which is shown only now. Throws a `Refusal` when the
 * account was removed, its plan has no endpoints, or it has ten already. `personId` is null for the operator.
 */
export async function registerEndpoint(
  world: World,
  tx: Tx,
  { plans, secretBox }: { plans: PlanTable; secretBox: SecretBox },
  endpoint: NewEndpoint,
  personId: string | null,
): Promise<WebhookEndpoint & { secret: string }> {
  const id = world.newId();
  const secret = generateSecret(world.random);
  await assertMayRegister(tx, plans, endpoint.accountId);
  const [registered] = await tx.query<WebhookEndpoint>({
    name: 'register_endpoint',
    text: `insert into webhook_endpoints (id, account_id, slot, url, events, secret, created_at)
           select $1, $2, min(free.slot), $3, $4, $5, $6
           from generate_series(1, ${endpointsMax}) as free (slot)
           where not exists (
             select from webhook_endpoints where account_id = $2 and slot = free.slot and removed_at is null
           )
           having min(free.slot) is not null
           returning ${endpointColumns}`,
    values: [
      id,
      endpoint.accountId,
      endpoint.url,
      endpoint.events,
      secretBox.encrypt(secret, secretContext(id)),
      world.clock.now(),
    ],
  });
  if (registered === undefined)
    throw new Refusal(`the account has ${endpointsMax} webhook endpoints, the most there can be`);
  await auditEndpoint(world, tx, registered, 'webhook_added', personId);
  return { ...registered, secret };
}

export function generateSecret(random: Random): string {
  return `whsec_${randomBase62(random, secretCharacters)}`;
}

const secretCharacters = 32;

/** Locks the account, so that concurrent registrations take their slots in turn. */
async function assertMayRegister(tx: Tx, plans: PlanTable, accountId: string): Promise<void> {
  const [account] = await tx.query<{ tier: Tier; removed: boolean }>({
    name: 'lock_account_for_endpoint',
    text: 'select tier, removed_at is not null as removed from accounts where id = $1 for no key update',
    values: [accountId],
  });
  if (account === undefined || account.removed) throw new Refusal('the account does not exist or was removed');
  if (!plans[account.tier]?.self_serve) {
    throw new Refusal(`webhook endpoints need the Team plan or above, and the account is on "${account.tier}"`);
  }
}
