import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** Everything that is recorded. */
export type OperatorAction =
  | 'operator_added'
  | 'operator_removed'
  | 'plan_changed'
  | 'credits_added'
  | 'job_retried'
  | 'jobs_retried';

interface OperatorEntry {
  /** Null: someone on the command line. */
  personId: string | null;
  action: OperatorAction;
  accountId?: string;
  detail: Record<string, unknown>;
  /** Of a change that must be made once however often it is sent. */
  requestId?: string;
}

/**
 * Appends to the operators' own log, in the transaction of the change. Companies don't see it. Returns false if there is an entry
 * with the same `requestId` already, and then appends nothing.
 */
export async function logOperator(world: World, tx: Tx, entry: OperatorEntry): Promise<boolean> {
  const { personId, action, accountId = null, detail, requestId = null } = entry;
  const appended = await tx.query({
    name: 'append_operator_log',
    text: `insert into operator_log (id, at, person_id, action, account_id, detail, request_id)
           values ($1, $2, $3, $4, $5, $6, $7) on conflict (request_id) do nothing returning 1`,
    values: [world.newId(), world.clock.now(), personId, action, accountId, JSON.stringify(detail), requestId],
  });
  return appended.length === 1;
}

export interface LoggedOperatorAction {
  id: string;
  at: Timestamp;
  action: OperatorAction;
  /** Null: on the command line, or by someone whose data was erased. */
  email: string | null;
  is_command_line: boolean;
  account_id: string | null;
  account_name: string | null;
  detail: Record<string, unknown>;
  /** The address of the person that the entry is about. */
  about_email: string | null;
}

/** Lists the log, newest first, after an entry. */
export function listOperatorLog(db: Queryable, afterId: string | null, limit: number): Promise<LoggedOperatorAction[]> {
  return db.query<LoggedOperatorAction>({
    name: 'list_operator_log',
    text: `select l.id, l.at, l.action, l.person_id is null as is_command_line, l.account_id, a.display_name as account_name,
             l.detail, case when p.email not like '%@erased.invalid' then p.email end as email,
             case when about.email not like '%@erased.invalid' then about.email end as about_email
           from operator_log l left join people p on p.id = l.person_id left join accounts a on a.id = l.account_id
             left join people about on about.id = (l.detail ->> 'person_id')::uuid
           where $1::uuid is null or l.id < $1 order by l.id desc limit $2`,
    values: [afterId, limit],
  });
}
