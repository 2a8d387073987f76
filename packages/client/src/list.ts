import { CountersignError } from './errors.ts';
import type { RequestOptions, Send } from './request.ts';

/** One page of a list, as the server answers it. */
export interface Page<T> {
  object: 'list';
  data: T[];
  /** Whether another page follows. */
  has_more: boolean;
  /** Give it as `startingAfter` to get the next page. Null on the last page. */
  next_cursor: string | null;
}

export interface ListOptions extends RequestOptions {
  /** Items of a page, 1 to 100. The server's default is 20. */
  limit?: number;
  /** The `next_cursor` of an earlier page. Null starts with the first page, so ask only while `has_more` is true. */
  startingAfter?: string | null;
  /** A cursor of an earlier page: returns the page before it. Only that page is read. */
  endingBefore?: string | null;
}

/** A list. `for await` reads all items of all pages, each page when it is needed. */
export interface List<T> extends AsyncIterable<T> {
  /** The first page alone. */
  page(): Promise<Page<T>>;
  pages(): AsyncIterable<Page<T>>;
}

/** `shape` is applied to every item. */
export function createList<T>(
  send: Send,
  path: string,
  { limit, startingAfter, endingBefore: before, ...options }: ListOptions,
  filter: Record<string, string | undefined> = {},
  shape: (item: T) => T = (item) => item,
): List<T> {
  const endingBefore = before ?? undefined;
  const read = async (after: string | undefined): Promise<Page<T>> => {
    const query = { ...filter, limit: limit?.toString(), starting_after: after, ending_before: endingBefore };
    const page = await send<Page<T>>({ method: 'GET', path, query, options });
    return { ...page, data: page.data.map(shape) };
  };

  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await read(startingAfter ?? undefined);
    yield page;
    while (page.has_more && endingBefore === undefined) {
      if (page.next_cursor === null) throw new CountersignError('The list has more, but no cursor to its next page.');
      page = await read(page.next_cursor);
      yield page;
    }
  }

  async function* items(): AsyncGenerator<T> {
    for await (const { data } of pages()) yield* data;
  }

  return { page: () => read(startingAfter ?? undefined), pages, [Symbol.asyncIterator]: items };
}
