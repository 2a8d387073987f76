import { listText, type PageRequest, readPageRequest } from '../http/page-request.ts';
import type { Call } from './endpoint.ts';
import { assertOwned } from './tenant.ts';

interface ListRow {
  id: string;
  account_id: string;
}

/**
 * Reads which page of a list a request wants. `list` names the list that a cursor belongs to.
 *
 * `answer` makes the page from rows: `read` returns one row more than the limit, and exactly the limit, in reverse order, for a
 * page that ends at a position. `text` is an item as JSON text.
 *
 * @throws `ApiError` with `invalid_limit`, `invalid_cursor` or `conflicting_cursors`.
 */
export function openList({ caller, query, cursors }: Call, list: string) {
  const scope = { accountId: caller.accountId, list };
  const page = readPageRequest(query, cursors, scope);

  async function answer<Row extends ListRow>(read: (page: PageRequest) => Promise<Row[]>, text: (row: Row) => string) {
    const rows = await read(page);
    const isBackwards = page.position.kind === 'ending_at';
    const shown = isBackwards ? rows.reverse() : rows.slice(0, page.limit);
    const lastId = shown.at(-1)?.id ?? (page.position.kind === 'start' ? '' : page.position.id);
    const hasMore = isBackwards ? (await read(oneAfter(lastId))).length > 0 : rows.length > page.limit;
    const items = shown.map((row) => text(assertOwned(caller, row)));
    return listText(items, hasMore, () => cursors.encode(scope, lastId));
  }

  return { answer };
}

function oneAfter(id: string): PageRequest {
  return { limit: 1, position: { kind: 'after', id } };
}
