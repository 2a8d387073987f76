/**
 * The place where the next page of envelopes begins. Positions shift during listing: a completed envelope moves later
 * ones down, a deleted one moves them up. So a page begins at a time wherever possible. If more envelopes share one time
 * than a page holds, the page begins at a position and repeats the end of the previous page. If the last envelope of that
 * page is missing, the list has shifted further than the repeated part, and the listing goes back until it finds it.
 */
export interface ListCursor {
  /** Envelopes completed from this time on. */
  from: string;
  /** The number of those envelopes to skip. */
  position: number;
  /** An envelope that stood at `position` or later. Everything before it is listed. */
  anchor: string | null;
}

export interface ListedPage {
  /** Null for an entry that can't be read as an envelope but takes a place in the list. */
  envelopes: ReadonlyArray<ListedEnvelope | null>;
  /** The number of envelopes completed since `cursor.from`, if the vendor gives it. */
  total: number | null;
  /** The vendor says that another page follows. */
  isFollowed: boolean;
}

export interface ListedEnvelope {
  id: string;
  completedAt: string;
}

export type NextPage = { kind: 'page'; cursor: ListCursor } | { kind: 'end' };

/**
 * One of this many envelopes of a page is listed again on the next. With less, a list that shifts before each page would
 * be read back and forth.
 */
const repeatedOf = 10;

/** Returns what follows the page at `cursor`. `count` is the page size that was requested. */
export function nextPage(cursor: ListCursor, { envelopes, total, isFollowed }: ListedPage, count: number): NextPage {
  const { from, position, anchor } = cursor;
  if (anchor !== null && position > 0 && !envelopes.some((envelope) => envelope?.id === anchor)) {
    return { kind: 'page', cursor: { from, position: Math.max(0, position - count), anchor } };
  }
  const isEnd = total === null ? envelopes.length < count : position + envelopes.length >= total;
  if (envelopes.length === 0 || (isEnd && !isFollowed)) return { kind: 'end' };
  const known = envelopes.filter((envelope) => envelope !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first !== undefined && last !== undefined && isGap(from, first, last) && ascends(known)) {
    return { kind: 'page', cursor: { from: last.completedAt, position: 0, anchor: null } };
  }
  const lastIndex = envelopes.findLastIndex((envelope) => envelope !== null);
  const repeated = Math.floor(lastIndex / repeatedOf);
  return lastIndex > 0
    ? { kind: 'page', cursor: { from, position: position + lastIndex - repeated, anchor: last?.id ?? null } }
    : { kind: 'page', cursor: { from, position: position + envelopes.length, anchor: null } };
}

/** Whether the page ends at a later time than it begins, so that the next page can begin there. */
function isGap(from: string, first: ListedEnvelope, last: ListedEnvelope): boolean {
  return last.completedAt > from && first.completedAt < last.completedAt;
}

/** Only in an ascending list is everything before the last time already listed. */
function ascends(envelopes: readonly ListedEnvelope[]): boolean {
  return envelopes.every(({ completedAt }, index) => completedAt >= (envelopes[index - 1]?.completedAt ?? ''));
}
