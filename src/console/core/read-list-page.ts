import type { CursorScope } from '../../http/cursor.ts';
import { type ListEnvelope, listEnvelope, readPageRequest } from '../../http/page-request.ts';
import type { ConsoleDeps, MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';

/** Which page of a list to read. `afterId` is null for the first page. */
export interface PagePosition {
  accountId: string;
  afterId: string | null;
  /** One more than the page size, to find out whether another page follows. */
  limit: number;
}

/** Reads a page of a list. Cursors only go forward. `list` names the list that a cursor belongs to. */
export async function readListPage<Row extends { id: string }, Item>(
  { cursors }: Pick<ConsoleDeps, 'cursors'>,
  { caller, query }: MemberCall,
  list: string,
  read: (wanted: PagePosition) => Promise<Row[]>,
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
