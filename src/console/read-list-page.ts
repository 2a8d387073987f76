import type { CursorScope } from '../http/cursor.ts';
import { type ListEnvelope, listEnvelope, readPageRequest } from '../http/page-request.ts';
import type { ConsoleMeans, MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** Where a page of one of the console's lists begins: null at the start of the list. */
export interface Wanted {
  accountId: string;
  afterId: string | null;
  /** One more than the page holds, which tells whether there is another. */
  limit: number;
}

/** The lists of the console go one way: forward, by cursor. `list` names them apart. */
export async function readListPage<Row extends { id: string }, Item>(
  { cursors }: Pick<ConsoleMeans, 'cursors'>,
  { caller, query }: MemberCall,
  list: string,
  read: (wanted: Wanted) => Promise<Row[]>,
  toJson: (row: Row) => Item,
): Promise<ListEnvelope<Item>> {
  const scope: CursorScope = { accountId: caller.membership.account_id, list };
  const { limit, position } = readPageRequest(query, cursors, scope);
  if (position.kind === 'ending_at') throw new ConsoleError('invalid_input', { param: 'ending_before' });
  const afterId = position.kind === 'after' ? position.id : null;
  const rows = await read({ accountId: scope.accountId, afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return listEnvelope(page.map(toJson), rows.length > limit, () => cursors.encode(scope, page.at(-1)?.id ?? ''));
}
