import type { CursorScope } from '../../http/cursor.ts';
import { type ListEnvelope, listEnvelope, readPageRequest } from '../../http/page-request.ts';
import type { ConsoleDeps, MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** A page of a list that a request wants. Cursors of the console only go forward. */
interface OpenList {
  accountId: string;
  limit: number;
  /** Null for the first page. */
  afterId: string | null;
  /** Makes the answer. `next` is the position after the page, or null when nothing follows. */
  answer<Item>(data: Item[], next: string | null): ListEnvelope<Item>;
}

/** Reads which page a request wants. `list` names the list that a cursor belongs to. */
export function openList({ cursors }: Pick<ConsoleDeps, 'cursors'>, call: MemberCall, list: string): OpenList {
  const scope: CursorScope = { accountId: call.caller.membership.account_id, list };
  const { limit, position } = readPageRequest(call.query, cursors, scope);
  if (position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  return {
    accountId: scope.accountId,
    limit,
    afterId: position.kind === 'after' ? position.id : null,
    answer: (data, next) => listEnvelope(data, next !== null, () => cursors.encode(scope, next ?? '')),
  };
}

/** Which rows of a list to read. `afterId` is null for the first page. */
export interface PagePosition {
  accountId: string;
  afterId: string | null;
  /** One more than the page size, to find out whether another page follows. */
  limit: number;
}

/** Answers a page of a list whose cursors are the ids of its rows. */
export async function readListPage<Row extends { id: string }, Item>(
  deps: Pick<ConsoleDeps, 'cursors'>,
  call: MemberCall,
  list: string,
  read: (wanted: PagePosition) => Promise<Row[]>,
  toJson: (row: Row) => Item,
): Promise<ListEnvelope<Item>> {
  const { accountId, limit, afterId, answer } = openList(deps, call, list);
  const rows = await read({ accountId, afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return answer(page.map(toJson), rows.length > limit ? (page.at(-1)?.id ?? null) : null);
}
