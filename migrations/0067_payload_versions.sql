-- Endpoints choose how much of an event they get: 1 has the document, 2 only its id. A delivery keeps the version with which it was
-- enqueued, so that each of its attempts has the same body.
alter table webhook_endpoints add column payload_version smallint not null default 1 check (payload_version in (1, 2));
alter table webhook_deliveries add column payload_version smallint not null default 1 check (payload_version in (1, 2));
