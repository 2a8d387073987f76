/** Rows or files that are removed when they are old. */
export interface RetainedData {
  /** Label in the metrics: a name from the code, never data. */
  name: string;
  /** What is older is removed. Null: nothing is. */
  before(now: Date): Date | null;
  /** Removes at most `batchMax` rows or files. */
  removeBatch(before: Date): Promise<Batch>;
  /** Since when the oldest row or file is kept. Null when there is none. */
  oldest(): Promise<Date | null>;
}

export interface Batch {
  removed: number;
  /** Whether everything old has been looked at. */
  isLast: boolean;
}

/** Rows or files that one statement looks at, so that it locks few rows and ends soon. */
export const batchMax = 1000;

const dayMs = 86_400_000;

/** Returns the `before` of data that is kept for some days. */
export function keptDays(days: number | null): RetainedData['before'] {
  return (now) => (days === null ? null : new Date(now.getTime() - days * dayMs));
}

/** A batch that was not full was the last. */
export function batchOf(removed: number): Batch {
  return { removed, isLast: removed < batchMax };
}
