import { listRecentEvents } from '../documents/recent-events.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';

const eventsShown = 20;

/** For the developers' page: where the API is, and what has just happened in it. */
export const eventEndpoints: ConsoleEndpoint[] = [forMembers('GET /events', 'admin', {}, listNewest)];

async function listNewest({ db, origin }: ConsoleMeans, { caller }: MemberCall) {
  const events = await listRecentEvents(db, caller.membership.account_id, eventsShown);
  const data = events.map(({ id, type, created_at, body }) => ({ id, event: type, created_at, body }));
  return { base_url: `${origin()}/api/v1`, data };
}
