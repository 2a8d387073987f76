/** Filters of a bulk send's rows: all, or those with one outcome. */
export interface RowSearch {
  show?: 'ready' | 'problems' | 'sent';
}

export function readRowSearch({ show }: Record<string, unknown>): RowSearch {
  return show === 'ready' || show === 'problems' || show === 'sent' ? { show } : {};
}
