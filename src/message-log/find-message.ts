import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { kindsOfTable, type LoggedKind, type MessageTable } from './message-kinds.ts';

/** A message of any table of the log. */
export interface FoundMessage {
  table: MessageTable;
  id: string;
  account_id: string;
  document_id: string;
  recipient_id: string | null;
  holder: number | null;
  kind: LoggedKind;
  channel: 'email' | 'sms';
  status: 'pending' | 'accepted' | 'failed' | 'cancelled';
  bounced_at: Timestamp | null;
  reported_reason: string | null;
}

const text = (Object.keys(kindsOfTable) as MessageTable[])
  .map(
    (table) => `select '${table}' as table, id, account_id, document_id, recipient_id, holder, kind, channel, status,
                  bounced_at, reported_reason from ${table} where id = $1`,
  )
  .join(' union all ');

/** Finds a message of any company by its id, which is that of its Message-ID. */
export async function findLoggedMessage(db: Queryable, id: string): Promise<FoundMessage | null> {
  const [found] = await db.query<FoundMessage>({ name: 'find_logged_message', text, values: [id] });
  return found ?? null;
}
