import { listEnvelope, type Query, readPageRequest } from '../http/page-request.ts';
import { type RequestFilter, readRequestLog } from '../usage/read-request-log.ts';
import { requestJson } from '../usage/request-json.ts';
import { isUuid, madeAt } from '../world/ids.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** The company's API requests of the last seven days. */
export const requestLogEndpoints: ConsoleEndpoint[] = [forMembers('GET /requests', 'admin', {}, listPage)];

/**
 * `method`, `status` (2xx, 4xx, 5xx), `key_id` and `search` narrow it. Looking for what is rare ends after a bounded
 * number of requests: `has_more` is then true, though the page holds few or none, and `searched_to` says since when.
 */
async function listPage({ world, db, cursors }: ConsoleMeans, { caller, query }: MemberCall) {
  const filter = readFilter(query);
  const accountId = caller.membership.account_id;
  const scope = { accountId, list: `requests ${JSON.stringify(filter)}` };
  const { limit, position } = readPageRequest(query, cursors, scope);
  if (position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const afterId = position.kind === 'after' ? position.id : null;
  const now = world.clock.now();
  const { rows, lookedTo } = await readRequestLog(db, accountId, filter, { now, afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  const end = isFull ? page.at(-1)?.id : lookedTo;
  return {
    ...listEnvelope(page.map(requestJson), isFull || lookedTo !== null, () => cursors.encode(scope, end ?? '')),
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const searchLengthMax = 200;

function readFilter(query: Query): RequestFilter {
  const status = readOne(query, 'status', (value) => /^[245]xx$/.test(value));
  return {
    method: readOne(query, 'method', (value) => methods.includes(value)),
    statusClass: status === null ? null : Number(status[0]),
    keyId: readOne(query, 'key_id', isUuid),
    text: readOne(query, 'search', (value) => value.length <= searchLengthMax && isText(value)),
  };
}

/** What PostgreSQL can be asked for. */
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

/** An empty parameter is one that was left out. */
function readOne(query: Query, name: string, isGood: (value: string) => boolean): string | null {
  const value = query[name] ?? '';
  if (value === '') return null;
  if (typeof value !== 'string' || !isGood(value)) throw new ConsoleError('invalid_input', { param: name });
  return value;
}
