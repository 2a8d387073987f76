-- Finds deliveries of an endpoint by their state, and counts attempts for its success rate.

-- The other half of webhook_deliveries_dead: redeliveries that died. Pending deliveries are found with webhook_deliveries_owed.
create index webhook_deliveries_dead_again on webhook_deliveries (endpoint_id, id)
  where status = 'dead' and redelivery_of is not null;

-- Attempts per endpoint, hour and duration. Each worker process counts in one of several shares, so that workers rarely wait
-- for each other's rows. Updates touch no index.
create table webhook_attempt_counts (
  endpoint_id uuid not null references webhook_endpoints,
  hour timestamptz not null,
  share smallint not null check (share >= 0),
  -- Ten classes per factor of ten: class n is up to 10^(n/10) milliseconds.
  duration_class smallint not null check (duration_class >= 0),
  delivered integer not null check (delivered >= 0),
  failed integer not null check (failed >= 0),
  primary key (endpoint_id, hour, share, duration_class)
) with (fillfactor = 70, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_attempt_counts_by_hour on webhook_attempt_counts (hour);

alter table webhook_endpoints
  -- Maximum number of deliveries per second. Null: no limit.
  add column rate_limit smallint check (rate_limit between 1 and 1000),
  -- When the deliveries that were claimed so far are paid off at that rate.
  add column paced_until timestamptz;
create index webhook_endpoints_limited on webhook_endpoints (id) where rate_limit is not null;
