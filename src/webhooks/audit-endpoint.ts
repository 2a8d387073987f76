import { type AccountAction, auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** Audits a change of an endpoint. `personId` is null for the operator. */
export function auditEndpoint(
  world: World,
  tx: Tx,
  endpoint: WebhookEndpoint,
  action: AccountAction,
  personId: string | null,
): Promise<void> {
  // The query may hold a token of the receiver, so the trail stores the URL without it.
  const { origin, pathname } = new URL(endpoint.url);
  const { id, events, rate_limit, payload_version } = endpoint;
  const detail = {
    endpoint_id: id,
    url: origin + pathname,
    events,
    ...(rate_limit === null ? {} : { rate_limit }),
    ...(payload_version === 1 ? {} : { payload_version }),
  };
  return auditAccount(world, tx, { accountId: endpoint.account_id, personId, action, detail });
}
