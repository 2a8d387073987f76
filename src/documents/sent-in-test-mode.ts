import type { Queryable } from '../postgres/database.ts';

/** Returns which of these documents were sent with a test key. They deliver no e-mail or SMS. */
export async function listSentInTestMode(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'list_sent_in_test_mode',
    text: `select id from documents where account_id = $1 and id = any ($2) and sent_mode = 'test'`,
    values: [accountId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
