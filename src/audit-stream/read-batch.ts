import { type AuditJson, auditJson } from '../audit-log/audit-json.ts';
import type { LoggedAction } from '../audit-log/read-audit-log.ts';
import { firstIdAt } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';

/** Entries of a company that are sent together, in the order of their ids. */
export interface Batch {
  entries: AuditJson[];
  /** The entries, and those that the company's audit log does not show. All of them are done when the batch is accepted. */
  doneIds: string[];
  /** Whether more may wait. */
  hasMore: boolean;
}

export const batchEntriesMax = 100;
/** Of the details, as JSON. One entry is always sent. */
const batchBytesMax = 256 * 1024;

/**
 * An entry gets its id before its transaction commits. Entries younger than this wait, so that those with lower ids have
 * usually been committed. One that commits even later is sent after them, since it waits in a row of its own.
 */
const settleMs = 2000;

/**
 * No transaction of a sign-in takes longer. An entry about the sign-in of a person who has not opened the company is left out
 * only after this time: the entry of the opening may commit later.
 */
const openingMs = 10_000;

/**
 * Ids of a clock that is set back are in the future, also those that its process creates afterwards. Entries that are this far ahead
 * don't wait for that time. Clocks of other processes are closer.
 */
const aheadMs = 60_000;

/** Returns between which ids entries wait to be settled. All others are sent now. */
export function unsettledIds(now: Date): { from: string; to: string } {
  return { from: firstIdAt(new Date(now.getTime() - settleMs)), to: firstIdAt(new Date(now.getTime() + aheadMs)) };
}

/**
 * Reads the next entries that wait for a company's stream, as its audit log shows them (src/audit-log/read-audit-log.ts), or showed
 * them when they were written. After each failure the batch has half as many, because the receiver may limit the size.
 */
export async function readBatch(
  db: Queryable,
  { account_id: accountId, failures }: { account_id: string; failures: number },
  now: Date,
): Promise<Batch> {
  const entriesMax = Math.max(1, Math.floor(batchEntriesMax / 2 ** failures));
  const unsettled = unsettledIds(now);
  const rows = await db.query<{ entry_id: string; shows: boolean } & LoggedAction>({
    name: 'read_audit_stream_batch',
    text: `with waiting as (
             select entry_id, was_shown from audit_stream_entries
             where account_id = $1 and (entry_id < $2 or entry_id >= $5) order by entry_id limit $4
           ), judged as (
             select w.entry_id, e.id, e.at, e.action, e.detail, e.person_id, p.email, m.id is not null as is_member,
               coalesce(e.account_id = $1 or (e.account_id is null and (w.was_shown or e.id > (
                 select first.id from account_audit_entries first
                 where first.account_id = $1 and first.person_id = e.person_id and first.action in ('signed_in', 'company_opened')
                   and first.id > m.id and first.detail ->> 'method' is distinct from 'sso'
                 order by first.id limit 1
               ))), false) as shows
             from waiting w
             left join account_audit_entries e on e.id = w.entry_id
             left join people p on p.id = e.person_id
             left join members m on m.account_id = $1 and m.canonical_email = p.canonical_email
           )
           select * from judged where shows or entry_id < $3 order by entry_id`,
    values: [accountId, unsettled.from, firstIdAt(new Date(now.getTime() - openingMs)), entriesMax, unsettled.to],
  });
  const batch: Batch = { entries: [], doneIds: [], hasMore: rows.length >= entriesMax };
  let bytes = 0;
  for (const { entry_id, shows, ...row } of rows) {
    if (shows) {
      bytes += Buffer.byteLength(JSON.stringify(row.detail));
      if (bytes > batchBytesMax && batch.entries.length > 0) return { ...batch, hasMore: true };
      batch.entries.push(auditJson(row, 'en'));
    }
    batch.doneIds.push(entry_id);
  }
  return batch;
}
