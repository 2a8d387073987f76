/**
 * Where the listing of envelopes has come. Positions shift while one lists: an envelope that completes moves those
 * after it down, one that is deleted moves them up. So a page begins at a time wherever it can, and where it must go by
 * position, because more envelopes than a page holds were completed at one time, it begins with the last envelope of the
 * page before. Where that is missing, something has shifted, and the listing goes back until it is found.
 */
export interface ListCursor {
  /** Envelopes completed from this time on. */
  from: string;
  /** So many of them are passed over. */
  position: number;
  /** The envelope that stood at `position`, or a page or more behind it. */
  anchor: string | null;
}

export interface ListedPage {
  /** Null for what cannot be read as an envelope, but has a place in the list. */
  envelopes: ReadonlyArray<ListedEnvelope | null>;
  /** Of all completed from `cursor.from` on, where the vendor says so. */
  total: number | null;
  /** The vendor says that another page follows. */
  isFollowed: boolean;
}

export interface ListedEnvelope {
  id: string;
  completedAt: string;
}

export type NextPage = { kind: 'page'; cursor: ListCursor } | { kind: 'end' };

/** What comes after the page that was listed at `cursor`. `count`: as many as were asked for. */
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
  return lastIndex > 0
    ? { kind: 'page', cursor: { from, position: position + lastIndex, anchor: last?.id ?? null } }
    : { kind: 'page', cursor: { from, position: position + envelopes.length, anchor: null } };
}

/** There is a time between the two to go on from. */
function isGap(from: string, first: ListedEnvelope, last: ListedEnvelope): boolean {
  return last.completedAt > from && first.completedAt < last.completedAt;
}

/** Only in a list that ascends does nothing earlier follow its last time. */
function ascends(envelopes: readonly ListedEnvelope[]): boolean {
  return envelopes.every(({ completedAt }, index) => completedAt >= (envelopes[index - 1]?.completedAt ?? ''));
}
