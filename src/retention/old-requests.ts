import { removeAnswers } from '../api/idempotency.ts';
import { removeLeases } from '../api/idempotency-lease.ts';
import type { Queryable } from '../postgres/database.ts';
import { oldestRequest, removeRequests } from '../usage/read-request-log.ts';
import { readLowest } from './read-first.ts';
import { batchMax, batchOf, keptDays, type RetainedData } from './retained-data.ts';

export function oldRequests(db: Queryable, days: number): RetainedData {
  return {
    name: 'request_log',
    before: keptDays(days),
    removeBatch: async (before) => batchOf(await removeRequests(db, before, batchMax)),
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
