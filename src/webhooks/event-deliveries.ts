/** SQL about the deliveries of one event. Parameters: `event` and `endpoint` are expressions for their ids. */

/**
 * The status of an event over `endpoints`, an array of ids: `dead` when one of them has dead deliveries only, else `pending`
 * when a delivery is pending, else `delivered`. Null without deliveries.
 */
export function eventStatus(event: string, endpoints: string): string {
  return `(
    select case when bool_or(is_missed) then 'dead' when bool_or(is_waiting) then 'pending'
      when count(*) > 0 then 'delivered' end
    from (
      select bool_and(status = 'dead') as is_missed, bool_or(status = 'pending') as is_waiting
      from (${deliveriesOf(event)}) d where endpoint_id = any (${endpoints}) group by endpoint_id
    ) by_endpoint
  )`;
}

/**
 * Whether an event may be sent to an endpoint again: not while a delivery is pending there, and if `onlyMissed`, only when
 * the endpoint has dead deliveries of it and no others. With a time in `unlessSince`, not if the endpoint got it since then.
 */
export function maySendAgain(
  event: string,
  endpoint: string,
  { onlyMissed, unlessSince }: { onlyMissed: string; unlessSince: string },
): string {
  return `(
    select case when bool_or(status = 'pending' or created_at >= ${unlessSince}) then false
      when ${onlyMissed} then coalesce(bool_and(status = 'dead'), false) else true end
    from (${deliveriesOf(event)}) d where endpoint_id = ${endpoint}
  )`;
}

/** Each half has its own index, also with the endpoint. */
function deliveriesOf(event: string): string {
  const half = (redeliveryOf: string) =>
    `select endpoint_id, status, created_at from webhook_deliveries where event_id = ${event} and redelivery_of ${redeliveryOf}`;
  return `${half('is null')} union all ${half('is not null')}`;
}
