import { readMessageAttempts } from '../jobs/message-attempts.ts';
import type { Language } from '../platform/language.ts';
import type { Queryable } from '../postgres/database.ts';
import { type MessageJson, messageJson } from './message-json.ts';
import { type MessageFilter, readMessageLog } from './read-message-log.ts';

export interface ListedMessages {
  rows: MessageJson[];
  /** Position to continue from. Null when everything was searched. */
  lookedTo: string | null;
}

/** Reads a page of the message log with the next attempts of messages that wait. */
export async function listLoggedMessages(
  db: Queryable,
  accountId: string,
  filter: MessageFilter,
  { afterId, limit, language }: { afterId: string | null; limit: number; language: Language },
): Promise<ListedMessages> {
  const { rows, lookedTo } = await readMessageLog(db, accountId, filter, { afterId, limit });
  const waiting = rows.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const attempts = await readMessageAttempts(db, waiting);
  return { rows: rows.map((row) => messageJson(row, attempts.get(row.id), language)), lookedTo };
}
