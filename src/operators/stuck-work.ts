import type { Queryable } from '../postgres/database.ts';

/** Counting stops here. */
const countMax = 10_000;
const listedMax = 20;

/** Work that no queue tries again, and that someone must look at. */
export interface StuckWork {
  /** Webhook deliveries to present endpoints that were given up, and that nobody sent again. At most `countMax + 1`. */
  dead_deliveries: number;
  /** Documents whose sealing stopped, because a page would look different. At most `countMax + 1`. */
  stopped_seals: number;
  /** The first of them. */
  stopped: { document_id: string; account_id: string; account_name: string }[];
}

export async function readStuckWork(db: Queryable): Promise<StuckWork> {
  const [[counts], stopped] = await Promise.all([
    db.query<Omit<StuckWork, 'stopped'>>({
      name: 'count_stuck_work',
      text: `select
               (select count(*)::int from (
                  select from webhook_deliveries w
                  join webhook_endpoints e on e.account_id = w.account_id and e.id = w.endpoint_id and e.removed_at is null
                  where w.status = 'dead' and w.redelivery_of is null and not exists (
                    select from webhook_deliveries again where again.account_id = w.account_id and again.redelivery_of = w.id
                  ) limit $1) d) as dead_deliveries,
               (select count(*)::int from (
                  select from documents where seal_changed_page is not null limit $1) s) as stopped_seals`,
      values: [countMax + 1],
    }),
    db.query<StuckWork['stopped'][number]>({
      name: 'list_stopped_seals',
      text: `select d.id as document_id, d.account_id, a.display_name as account_name
             from documents d join accounts a on a.id = d.account_id
             where d.seal_changed_page is not null order by d.id limit $1`,
      values: [listedMax],
    }),
  ]);
  return { dead_deliveries: counts?.dead_deliveries ?? 0, stopped_seals: counts?.stopped_seals ?? 0, stopped };
}
