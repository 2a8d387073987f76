-- Webhook endpoints, the deliveries each event owes them, every attempt made; and the members of an account, whose
-- owners are told when an endpoint is paused.

create table members (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null check (char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null
);
create unique index members_by_email on members (account_id, lower(email));

create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts,
  -- One of the account's ten places. It also picks the id of the delivery that record-event.ts writes in one statement.
  slot smallint not null check (slot between 1 and 10),
  url text not null check (char_length(url) <= 2048),
  events text[] not null check (
    cardinality(events) > 0
    and events <@ array[
      'document.sent', 'document.viewed', 'document.signed', 'document.completed', 'document.declined', 'document.voided'
    ]
  ),
  -- Encrypted with SECRET_KEY: each delivery is signed with it.
  secret bytea not null,
  -- The one before it was rolled: signatures are made with both until then.
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  paused_by text check (paused_by in ('operator', 'failures')),
  -- The streak of failures without a success between, and without a day between.
  failing_since timestamptz,
  last_failed_at timestamptz,
  removed_at timestamptz,
  unique (account_id, id),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((paused_at is null) = (paused_by is null)),
  check ((failing_since is null) = (last_failed_at is null))
);
create unique index webhook_endpoints_by_slot on webhook_endpoints (account_id, slot) where removed_at is null;

-- A test event tells of no document that exists.
alter table events alter column document_id drop not null;

create table webhook_deliveries (
  id uuid primary key,
  account_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null references events,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  failures smallint not null default 0 check (failures >= 0),
  -- When it is due. Unlike a lease it is never moved by claiming, so that what waits longest can be told.
  next_attempt_at timestamptz,
  -- The fencing token: who claimed it last. A worker that stalled and wakes up finds another's here and records nothing.
  lease_id uuid,
  leased_until timestamptz,
  redelivery_of uuid references webhook_deliveries,
  created_at timestamptz not null,
  settled_at timestamptz,
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (settled_at is null)),
  check ((lease_id is null) = (leased_until is null))
) with (fillfactor = 80, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02);
-- What is owed, endpoint by endpoint: claims walk it from one endpoint to the next, so that none stands before another.
create index webhook_deliveries_owed on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, id desc);
-- An event is owed to an endpoint once, except when somebody asks for it again.
create unique index webhook_deliveries_once on webhook_deliveries (event_id, endpoint_id) where redelivery_of is null;

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries,
  number smallint not null check (number > 0),
  at timestamptz not null,
  status_code smallint check (status_code between 100 and 999),
  error text,
  -- The first 2 KiB of the answer.
  response_body text check (octet_length(response_body) <= 8192),
  duration_ms integer not null check (duration_ms >= 0),
  primary key (delivery_id, number)
);
