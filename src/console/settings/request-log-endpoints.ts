import type { Query } from '../../http/page-request.ts';
import { isUuid, madeAt } from '../../platform/ids.ts';
import { type RequestFilter, readRequestLog } from '../../usage/read-request-log.ts';
import { requestJson } from '../../usage/request-json.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { openList } from '../core/open-list.ts';
import { readOne, readSearch } from '../core/read-filter.ts';

/** The company's recent API requests. */
export const requestLogEndpoints = [forMembers('GET /requests', 'admin', {}, listPage)];

/**
 * Lists API requests. Filters: `method`, `status` (2xx, 4xx, 5xx), `key_id` and `search`. A search stops after a limited
 * number of requests. `has_more` is then true although the page has few items, and `searched_to` is the time reached.
 * `days` is how long requests are kept.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const { world, db, requestLogDays } = deps;
  const filter = readFilter(call.query);
  const { accountId, limit, afterId, answer } = openList(deps, call, `requests ${JSON.stringify(filter)}`);
  const since = new Date(world.clock.now().getTime() - requestLogDays * 86_400_000);
  const { rows, lookedTo } = await readRequestLog(db, accountId, filter, { since, afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  const next = isFull ? (page.at(-1)?.id ?? null) : lookedTo;
  return {
    ...answer(page.map(requestJson), next),
    days: requestLogDays,
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

function readFilter(query: Query): RequestFilter {
  const status = readOne(query, 'status', (value) => /^[245]xx$/.test(value));
  return {
    method: readOne(query, 'method', (value) => methods.includes(value)),
    statusClass: status === null ? null : Number(status[0]),
    keyId: readOne(query, 'key_id', isUuid),
    text: readSearch(query),
  };
}
