import type { FailedJob } from '../jobs/failed-jobs.ts';
import { isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';

/** A failed job as operators see it: which company and document it is about, and nothing of its recipients. */
export interface FailedJobView extends Omit<FailedJob, 'data'> {
  account_id: string | null;
  account_name: string | null;
  document_id: string | null;
}

/** Finds the company and the document of each job. Jobs about a person and not a company have neither. */
export async function describeFailed(db: Queryable, jobs: readonly FailedJob[]): Promise<FailedJobView[]> {
  const idOf = ({ data }: FailedJob, name: string) => {
    const id = data[name];
    return typeof id === 'string' && isUuid(id) ? id : null;
  };
  const rows = await db.query<Pick<FailedJobView, 'account_id' | 'account_name' | 'document_id'>>({
    name: 'describe_failed_jobs',
    text: `select a.id as account_id, a.display_name as account_name, coalesce(m.document_id, j.document_id) as document_id
           from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) with ordinality
             j (account_id, document_id, message_id, endpoint_id, number)
           left join messages m on m.id = j.message_id
           left join webhook_endpoints e on e.id = j.endpoint_id
           left join accounts a on a.id = coalesce(m.account_id, e.account_id, j.account_id)
           order by j.number`,
    values: ['accountId', 'documentId', 'messageId', 'endpointId'].map((name) => jobs.map((job) => idOf(job, name))),
  });
  return jobs.map(({ data: _, ...job }, index) => {
    const { account_id = null, account_name = null, document_id = null } = rows[index] ?? {};
    return { ...job, account_id, account_name, document_id };
  });
}
