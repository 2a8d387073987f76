-- The console's event log reads the events of a company page by page, newest first.
create index events_newest on events (account_id, id desc);

alter table idempotency_records
  -- The request that got this answer first. The request log links to it from each replay. Null in older records.
  add column request_id text;

comment on column request_log.lines is
  'Tabs between: milliseconds, place of the key (from 1), request id, method, status, code or nothing, microseconds, path, and for a replay the id of the first request.';
