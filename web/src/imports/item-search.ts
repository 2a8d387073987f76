/** Filters of an import's files: all, or those with one outcome, from a cursor on. */
export interface ItemSearch {
  show?: 'filed' | 'failed' | 'open';
  /** The cursor of a page, and the number of files before it. */
  after?: string;
  from?: number;
}

export function readItemSearch({ show, after, from }: Record<string, unknown>): ItemSearch {
  return {
    ...(show === 'filed' || show === 'failed' || show === 'open' ? { show } : {}),
    ...(typeof after === 'string' && Number.isSafeInteger(from) ? { after, from: from as number } : {}),
  };
}
