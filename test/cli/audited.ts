import { execute as sql } from '../support/embedded.ts';
import type { Place } from './countersign.ts';

/** Returns what the operator did according to the company's record, oldest first. */
export async function audited(at: Place, accountId: string): Promise<string[]> {
  const entries = (await sql(
    at.databaseUrl as string,
    `select action from account_audit_entries where account_id = '${accountId}' and person_id is null order by id`,
  )) as { action: string }[];
  return entries.map(({ action }) => action);
}
