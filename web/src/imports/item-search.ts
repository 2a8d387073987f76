/** Which of an import's files are shown: all, or those that came to the same, from one of them on. */
export interface ItemSearch {
  show?: 'filed' | 'failed' | 'open';
  /** The cursor of a page, and how many files come before it. */
  after?: string;
  from?: number;
}

export function readItemSearch({ show, after, from }: Record<string, unknown>): ItemSearch {
  return {
    ...(show === 'filed' || show === 'failed' || show === 'open' ? { show } : {}),
    ...(typeof after === 'string' && Number.isSafeInteger(from) ? { after, from: from as number } : {}),
  };
}
