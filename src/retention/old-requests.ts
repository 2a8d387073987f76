import { removeAnswers } from '../api/idempotency.ts';
import { removeLeases } from '../api/idempotency-lease.ts';
import type { Queryable, Transactional } from '../postgres/database.ts';
import { oldestRequest, removeRequests } from '../usage/read-request-log.ts';
import { dropDayBefore } from '../usage/request-log-days.ts';
import { readLowest } from './read-first.ts';
import { batchMax, batchOf, keptDays, type RetainedData } from './retained-data.ts';

/** Requests go by the day. Only those that were written without a table for their day are deleted row by row. */
export function oldRequests(db: Transactional, days: number): RetainedData {
  return {
    name: 'request_log',
    before: keptDays(days),
    async removeBatch(before) {
      const dropped = await dropDayBefore(db, before);
      if (dropped !== null) return { removed: dropped, isLast: false };
      return batchOf(await removeRequests(db, before, batchMax));
    },
    oldest: () => oldestRequest(db),
  };
}

/** Idempotency keys with their answers, and keys of interrupted requests. */
export function oldKeys(db: Queryable, hours: number): RetainedData[] {
  const before = (now: Date) => new Date(now.getTime() - hours * 3_600_000);
  return [
    {
      name: 'idempotency_records',
      before,
      removeBatch: async (before) => batchOf(await removeAnswers(db, before, batchMax)),
      oldest: () => readLowest(db, 'idempotency_records', 'created_at'),
    },
    {
      name: 'idempotency_leases',
      before,
      removeBatch: async (before) => batchOf(await removeLeases(db, before, batchMax)),
      oldest: () => readLowest(db, 'idempotency_leases', 'created_at'),
    },
  ];
}
