import { listRecentEvents } from '../../documents/recent-events.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';

const eventsShown = 20;

/** The base address of the API and its newest events, for the Developers page. */
export const eventEndpoints = [forMembers('GET /events', 'admin', {}, listNewest)];

async function listNewest({ db, origin }: ConsoleDeps, { caller }: MemberCall) {
  const events = await listRecentEvents(db, caller.membership.account_id, eventsShown);
  const data = events.map(({ id, type, created_at, body }) => ({ id, event: type, created_at, body }));
  return { base_url: `${origin()}/api/v1`, data };
}
