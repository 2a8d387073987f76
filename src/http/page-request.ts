import { ApiError } from '../errors.ts';
import type { CursorCodec, CursorScope } from './cursor.ts';
import { JsonText } from './json-text.ts';

/** Query parameters as in the URL. A repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

/** Position of a page: after an item, ending at an item, or at the start of the list. */
export interface PageRequest {
  limit: number;
  position: { kind: 'start' } | { kind: 'after'; id: string } | { kind: 'ending_at'; id: string };
}

export interface ListEnvelope<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

export const limitDefault = 20;
export const limitMax = 100;

/** Reads `limit`, `starting_after` and `ending_before`. Values out of range are refused. */
export function readPageRequest(query: Query, codec: CursorCodec, scope: CursorScope): PageRequest {
  const limit = readLimit(query.limit);
  const { starting_after: after, ending_before: before } = query;
  if (after !== undefined && before !== undefined) {
    throw new ApiError('conflicting_cursors', { param: 'starting_after' });
  }
  if (after !== undefined) {
    return { limit, position: { kind: 'after', id: readCursor('starting_after', after, codec, scope) } };
  }
  if (before !== undefined) {
    return { limit, position: { kind: 'ending_at', id: readCursor('ending_before', before, codec, scope) } };
  }
  return { limit, position: { kind: 'start' } };
}

/**
 * Builds a page of a list. `cursorAfter` is the position after the last item, or the requested position if the page is
 * empty.
 */
export function listEnvelope<Item>(data: Item[], hasMore: boolean, cursorAfter: () => string): ListEnvelope<Item> {
  return { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? cursorAfter() : null };
}

/** Builds a page from items that are already JSON text. */
export function listText(items: readonly string[], hasMore: boolean, cursorAfter: () => string): JsonText {
  const next = JSON.stringify(hasMore ? cursorAfter() : null);
  return new JsonText(`{"object":"list","data":[${items.join()}],"has_more":${hasMore},"next_cursor":${next}}`);
}

/** Reads `limit`, the number of items on a page. Throws `invalid_limit`. */
export function readLimit(value: string | string[] | undefined): number {
  if (value === undefined) return limitDefault;
  const limit = typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > limitMax) throw new ApiError('invalid_limit', { param: 'limit' });
  return limit;
}

function readCursor(param: string, value: string | string[], codec: CursorCodec, scope: CursorScope): string {
  const id = typeof value === 'string' ? codec.decode(scope, value) : null;
  if (id === null) throw new ApiError('invalid_cursor', { param });
  return id;
}

/**
 * Reads comma-separated statuses. Null if the parameter is absent, which means all statuses. Throws `invalid_status`
 * for an unknown one.
 */
export function readStatusFilter<Status extends string>(
  value: string | string[] | undefined,
  known: readonly Status[],
): Status[] | null {
  if (value === undefined) return null;
  const wanted = typeof value === 'string' ? value.split(',') : [''];
  const statuses = wanted.filter((status): status is Status => (known as readonly string[]).includes(status));
  if (statuses.length < wanted.length) {
    throw new ApiError('invalid_status', {
      param: 'status',
      message: `status must be a comma-separated list of: ${known.join(', ')}.`,
    });
  }
  return [...new Set(statuses)];
}
