import { idsBetween } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { kindsOfTable, type LoggedKind, type MessageState, type MessageTable } from './message-kinds.ts';

/** Filters of the message log. Null matches everything. */
export interface MessageFilter {
  state: MessageState | null;
  kind: LoggedKind | null;
  /** As `storedAddress` returns it. */
  address: string | null;
  documentId: string | null;
  from: Date | null;
  to: Date | null;
}

export interface LoggedMessage {
  /** Position in the log. It ascends with time. The Message-ID of an e-mail has it. */
  id: string;
  kind: LoggedKind;
  channel: 'email' | 'sms';
  document_id: string;
  title: string;
  /** Null: to a member. */
  recipient_id: string | null;
  /** Null: to a member, or to someone whom the recipient has replaced. */
  name: string | null;
  /** Null: erased, or of a message from before the log to someone who is no longer the recipient. */
  address: string | null;
  status: 'pending' | 'accepted' | 'failed' | 'cancelled';
  attempts: number;
  last_error: string | null;
  provider_id: string | null;
  created_at: Timestamp;
  settled_at: Timestamp | null;
  delayed_at: Timestamp | null;
  bounced_at: Timestamp | null;
  reported_reason: string | null;
}

export interface FoundMessages {
  rows: LoggedMessage[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Maximum number of messages searched by one statement. The next page continues from there. */
export const messagesLookedAtMax = 20_000;

/**
 * Reads a page of a company's message log, newest first, after a position. Each table is read through the index that fits the
 * filter best: by address, document, state or company.
 */
export async function readMessageLog(
  db: Queryable,
  accountId: string,
  filter: MessageFilter,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<FoundMessages> {
  const { kind, from, to } = filter;
  const isSearch = kind !== null || from !== null || to !== null;
  const lookedAtMax = isSearch ? messagesLookedAtMax : limit;
  const { text, values } = statementFor(accountId, filter, { afterId, limit, lookedAtMax });
  const found = await db.query<(LoggedMessage | { id: null }) & { looked_at: number; end_id: string | null }>({
    name: '',
    text,
    values,
  });
  const rows = found.filter((row) => row.id !== null).map(({ looked_at: _n, end_id: _id, ...row }) => row);
  const { looked_at: lookedAt = 0, end_id: endId = null } = found[0] ?? {};
  const isDone = rows.length >= limit || lookedAt < lookedAtMax;
  return { rows: rows as LoggedMessage[], lookedTo: isDone ? null : endId };
}

const conditions: Record<MessageState, string> = {
  waiting: "status = 'pending'",
  accepted: "status = 'accepted' and bounced_at is null",
  bounced: 'bounced_at is not null',
  failed: "status = 'failed'",
  cancelled: "status = 'cancelled'",
};

const columns = `id, kind, channel, document_id, recipient_id, holder, address, status, attempts, last_error, provider_id,
  created_at, settled_at, delayed_at, bounced_at, reported_reason`;

/** The statement has the conditions of this filter only, so that its plan can be made for them. */
function statementFor(
  accountId: string,
  { state, kind, address, documentId, from, to }: MessageFilter,
  { afterId, limit, lookedAtMax }: { afterId: string | null; limit: number; lookedAtMax: number },
): { text: string; values: unknown[] } {
  const { low, high } = idsBetween(from, to);
  const values: unknown[] = [accountId, low, afterId !== null && afterId < high ? afterId : high, lookedAtMax, limit];
  const where = (column: string, operator: string, value: unknown) =>
    value === null ? [] : [`${column} ${operator} $${values.push(value)}`];
  const walkedBy = [
    'account_id = $1 and id >= $2 and id < $3',
    ...(state === null ? [] : [conditions[state]]),
    ...where('address', '=', address),
    ...where('document_id', '=', documentId),
  ].join(' and ');
  const matching = [
    'true',
    ...where('kind', '=', kind),
    ...where('created_at', '>=', from),
    ...where('created_at', '<', to),
  ].join(' and ');
  const walks = (Object.keys(kindsOfTable) as MessageTable[])
    .filter((table) => kind === null || (kindsOfTable[table] as readonly LoggedKind[]).includes(kind))
    .map((table) => `(select ${columns} from ${table} where ${walkedBy} order by id desc limit $4)`);
  const text = `with walked as materialized (
            select * from (${walks.join(' union all ')}) every_message order by id desc limit $4
          ), found as (
            select * from walked where ${matching} order by id desc limit $5
          )
          select f.id, f.kind, f.channel, f.document_id, d.title, f.recipient_id, r.display_name as name,
            coalesce(case when f.channel = 'sms' then r.phone else r.email end, f.address) as address, f.status, f.attempts,
            f.last_error, f.provider_id, f.created_at, f.settled_at, f.delayed_at, f.bounced_at, f.reported_reason,
            c.looked_at::integer as looked_at, c.end_id
          from (select (select count(*) from walked) as looked_at, (select id from walked order by id limit 1) as end_id) c
          left join found f on true
          left join documents d on d.account_id = $1 and d.id = f.document_id
          left join recipients r on r.account_id = $1 and r.id = f.recipient_id and r.holder = f.holder
          order by f.id desc`;
  return { text, values };
}
