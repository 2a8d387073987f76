import { type AccountAction, auditAccount } from '../accounts/account-audit.ts';
import type { Tx } from '../postgres/database.ts';
import type { World } from '../world/world.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** What somebody did to an endpoint. `personId`: who; null: the operator. */
export function auditEndpoint(
  world: World,
  tx: Tx,
  endpoint: WebhookEndpoint,
  action: AccountAction,
  personId: string | null,
): Promise<void> {
  // Receivers put tokens into the query of their addresses: the trail keeps where it leads, not those.
  const { origin, pathname } = new URL(endpoint.url);
  const detail = { endpoint_id: endpoint.id, url: origin + pathname, events: endpoint.events };
  return auditAccount(world, tx, { accountId: endpoint.account_id, personId, action, detail });
}
